"""Search for questions that a library answers wrongly: generated, judged exactly, shrunk, and told apart by cause.

==================  ==================================================================================================
module              what it does
==================  ==================================================================================================
``drawn_numbers``   strategies for the numbers of questions, the extreme regions included
``expressions``     strategies for mechanism expressions, by shape and by primitive
``questions``       strategies for scenarios: a few questions about one mechanism, or about related ones
``truth``           the exact truth of a question, with the record or the certificate of it
``scenario_laws``   laws across the answers of a scenario
``causes``          the cause that a finding seems to have
``asking``          a subject asked, judged, and remembered
``rounds``          one run of hypothesis: at most one finding, shrunk
``campaign``        many rounds: what the subject declines is learnt, findings of one cause are counted
``places``          where rounds are run
``journal``         the events by which an interrupted campaign goes on
``findings``        the files of a finding: truth, vector, and the index
``reproducers``     a script that shows a finding, and what it prints
``wording``         answers and truths in few words
``tracing``         a reproducer that uses the library alone
==================  ==================================================================================================
"""

"""Real libraries as subjects: objects with a method for each op they answer, which import the library when first asked.

An adapter translates a mechanism expression into the calls of the library and nothing more: what the library does not
compute is declined, never computed here. ``oracle conform dp-accounting`` runs the adapter of that name.
"""

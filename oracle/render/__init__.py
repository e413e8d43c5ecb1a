"""Views of report documents: they read the documents and nothing else."""

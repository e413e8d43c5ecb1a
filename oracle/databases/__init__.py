"""Small databases, enumerated: neighbours, mechanisms as tables, and subsampling as exact finite distributions."""

"""Where the vectors come from: the questions of each topic, what their flags mean, and a second way to every answer."""

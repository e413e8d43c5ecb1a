"""Certificate documents: what producers emit, and the independent checker that accepts or rejects them."""

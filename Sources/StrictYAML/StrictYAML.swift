// StrictYAML owns reading YAML into a tree with line numbers, where duplicates are refused and JSON is the same model,
// and writing the small files that the product makes. It does not know what a file means.

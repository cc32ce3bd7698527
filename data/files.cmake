# Every file of data/ that the program carries, by family; order is the order in which entries are listed.
set(RIGPLAN_DATA_FILES
  prices/exchange.json
  training_stacks.json
  models/deepseek.json
  models/gemma.json
  models/llama.json
  models/mistral.json
  models/nvidia.json
  models/others.json
  models/qwen.json
  models/research.json
  models/small.json
)

"""Mem0, open source. By documentation, untested.

    pip install mem0ai                  # 2 or newer
    memscope run --system py:mem0_memory:Mem0 --model openai:gpt-4.1-mini

Vectors come from the embedder of the run, which has 384 dimensions unless another is named: then say py:mem0_memory:Mem0:dims=1536.
"""

import os


class Mem0:
    model = True

    def __init__(self, model, workdir, namespace, dims=384):
        # Both are read while it is imported: nothing leaves this machine, and lives share no files.
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=workdir)
        from mem0 import Memory

        client = {"api_key": model.token, "openai_base_url": model.url}
        self.scope = {"user_id": namespace}
        self.memory = Memory.from_config(
            {
                "llm": {"provider": "openai", "config": {"model": model.name, **client}},
                "embedder": {"provider": "openai", "config": {"model": "embedder", "embedding_dims": dims, **client}},
                "vector_store": {
                    "provider": "qdrant",
                    "config": {"path": os.path.join(workdir, "qdrant"), "embedding_model_dims": dims, "collection_name": "memories"},
                },
                "history_db_path": os.path.join(workdir, "history.db"),
            }
        )

    def store(self, conversation):
        self.memory.add(conversation.messages, **self.scope)

    def retrieve(self, query, k):
        return self.memory.search(str(query), filters=self.scope, top_k=k)

    def dump(self):
        return self.memory.get_all(filters=self.scope, top_k=100_000)

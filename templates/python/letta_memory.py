"""Letta: an agent with blocks and archival memory on a server. By documentation, untested.

    pip install letta-client            # 1 or newer, and a server at LETTA_URL
    memscope run --system "py[env=LETTA_URL+LETTA_API_KEY]:letta_memory:LettaMemory:llm=openai/gpt-4.1-mini"

The server asks its own model: what that costs is not metered.
"""

import os

from letta_client import Letta


class LettaMemory:
    def __init__(self, namespace, llm="openai/gpt-4.1-mini", embedding="openai/text-embedding-3-small"):
        self.client = Letta(base_url=os.environ["LETTA_URL"], api_key=os.environ.get("LETTA_API_KEY"))
        blocks = [{"label": "human", "value": ""}, {"label": "persona", "value": "I remember what I am told."}]
        self.agent = self.client.agents.create(name=namespace, model=llm, embedding=embedding, memory_blocks=blocks).id

    def store(self, conversation):
        # The agent decides what goes into its memory, and by which tool.
        said = f"A conversation of {conversation.time}:\n{conversation.text}"
        self.client.agents.messages.create(agent_id=self.agent, messages=[{"role": "user", "content": said}])

    def retrieve(self, query, k):
        found = self.client.agents.passages.search(self.agent, query=str(query), top_k=k).results
        return [*self.blocks(), *({"id": one.id, "text": one.content} for one in found)][:k]

    def dump(self):
        passages = self.client.agents.passages.list(self.agent, limit=100_000)
        return [*self.blocks(), *({"id": one.id, "text": one.text} for one in passages)]

    def blocks(self):
        """What it always sees."""
        blocks = self.client.agents.blocks.list(self.agent)
        return [{"id": block.id, "text": block.value} for block in blocks if block.value and block.label != "persona"]

    def close(self):
        self.client.agents.delete(self.agent)

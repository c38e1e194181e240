"""Graphiti over Neo4j. By documentation, untested.

    pip install graphiti-core           # and a Neo4j at NEO4J_URI
    memscope run --system "py[env=NEO4J_URI+NEO4J_USER+NEO4J_PASSWORD]:graphiti_memory:GraphitiMemory" --model openai:gpt-4.1-mini
"""

import os
import re
from datetime import datetime

from graphiti_core import Graphiti
from graphiti_core.edges import EntityEdge
from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
from graphiti_core.errors import GroupsEdgesNotFoundError
from graphiti_core.llm_client.config import LLMConfig
from graphiti_core.llm_client.openai_generic_client import OpenAIGenericClient
from graphiti_core.nodes import EpisodeType


class GraphitiMemory:
    model = time = True

    def __init__(self, model, namespace, dims=384):
        config = LLMConfig(api_key=model.token, model=model.name, small_model=model.name, base_url=model.url)
        vectors = OpenAIEmbedderConfig(api_key=model.token, embedding_model="embedder", embedding_dim=dims, base_url=model.url)
        clients = {"llm_client": OpenAIGenericClient(config=config), "embedder": OpenAIEmbedder(config=vectors)}
        self.graph = Graphiti(*(os.environ[f"NEO4J_{name}"] for name in ("URI", "USER", "PASSWORD")), **clients)
        self.group = re.sub(r"[^\w-]", "-", namespace)

    async def store(self, conversation):
        await self.graph.build_indices_and_constraints()
        when = datetime.fromisoformat(conversation.time.replace("Z", "+00:00"))
        about = {"name": conversation.id, "source": EpisodeType.message, "source_description": "conversation"}
        await self.graph.add_episode(**about, episode_body=conversation.text, reference_time=when, group_id=self.group)

    async def retrieve(self, query, k):
        return [self.memory(edge) for edge in await self.graph.search(str(query), group_ids=[self.group], num_results=k)]

    async def dump(self):
        try:
            return [self.memory(edge) for edge in await EntityEdge.get_by_group_ids(self.graph.driver, [self.group])]
        except GroupsEdgesNotFoundError:
            return []

    def memory(self, edge):
        status = "invalidated" if edge.invalid_at else "live"
        return {"id": edge.uuid, "text": edge.fact, "time": edge.valid_at or edge.created_at, "status": status}

    async def close(self):
        await self.graph.close()

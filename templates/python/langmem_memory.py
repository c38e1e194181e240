"""LangMem: its store manager over LangGraph's store in memory. By documentation, untested.

    pip install langmem langchain-openai
    memscope run --system py:langmem_memory:LangMem --model openai:gpt-4.1-mini

Vectors come from the embedder of the run, which has 384 dimensions unless another is named: then say py:langmem_memory:LangMem:dims=1536.
"""

from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langgraph.store.memory import InMemoryStore
from langmem import create_memory_store_manager


class LangMem:
    model = True

    def __init__(self, model, dims=384):
        # Texts are sent as they are, not as numbers of tokens.
        embed = OpenAIEmbeddings(model="embedder", base_url=model.url, api_key=model.token, check_embedding_ctx_length=False)
        chat = ChatOpenAI(model=model.name, base_url=model.url, api_key=model.token, temperature=0)
        self.space = ("memories",)
        self.kept = InMemoryStore(index={"dims": dims, "embed": embed})
        self.manager = create_memory_store_manager(chat, namespace=self.space, store=self.kept, enable_deletes=True)

    async def store(self, conversation):
        await self.manager.ainvoke({"messages": conversation.messages})

    async def retrieve(self, query, k):
        return [self.memory(item) for item in await self.kept.asearch(self.space, query=str(query), limit=k)]

    async def dump(self):
        return [self.memory(item) for item in await self.kept.asearch(self.space, limit=100_000)]

    def memory(self, item):
        content = item.value["content"]
        return {"id": item.key, "text": content["content"] if isinstance(content, dict) else str(content), "score": item.score}

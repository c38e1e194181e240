"""A-MEM, by agiresearch/A-mem. By documentation, untested.

    pip install git+https://github.com/agiresearch/A-mem
    memscope run --system py:amem_memory:AMem --model openai:gpt-4.1-mini

It embeds by itself, with all-MiniLM-L6-v2; its model is asked through OPENAI_BASE_URL, which memscope sets.
"""

import re

from agentic_memory.memory_system import AgenticMemorySystem


class AMem:
    model = True
    time = True

    def __init__(self, model):
        self.notes = AgenticMemorySystem(
            model_name="all-MiniLM-L6-v2", llm_backend="openai", llm_model=model.name, api_key=model.token
        )

    def store(self, conversation):
        # Its times are of the form YYYYMMDDHHMM.
        self.notes.add_note(conversation.text, time=re.sub(r"\D", "", conversation.time)[:12])

    def retrieve(self, query, k):
        # What it calls a score is a distance.
        found = self.notes.search_agentic(str(query), k=k)
        return [{"id": note["id"], "text": note["content"], "time": note["timestamp"]} for note in found]

    def dump(self):
        return [{"id": note.id, "text": note.content, "time": note.timestamp} for note in self.notes.memories.values()]

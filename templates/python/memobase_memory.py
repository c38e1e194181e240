"""Memobase: profiles on a server. By documentation, untested.

    pip install memobase                # and a server at MEMOBASE_URL
    memscope run --system "py[env=MEMOBASE_URL+MEMOBASE_API_KEY]:memobase_memory:Memobase"

The server asks its own model, as its config says: what that costs is not metered.
"""

import os
import uuid

from memobase import ChatBlob, MemoBaseClient


class Memobase:
    depth = "fixed"  # a profile as a whole, in a number of tokens

    def __init__(self, namespace, tokens=1000):
        self.tokens = tokens
        self.client = MemoBaseClient(project_url=os.environ["MEMOBASE_URL"], api_key=os.environ["MEMOBASE_API_KEY"])
        # Names of users are UUIDs there.
        self.id = self.client.add_user(id=str(uuid.uuid5(uuid.NAMESPACE_URL, namespace)))
        self.user = self.client.get_user(self.id)

    def store(self, conversation):
        messages = [{**message, "created_at": conversation.time} for message in conversation.messages]
        self.user.insert(ChatBlob(messages=messages))

    def settle(self):
        self.user.flush(sync=True)

    def retrieve(self, query):
        asked = [{"role": "user", "content": str(query)}]
        return [self.memory(entry) for entry in self.user.profile(max_token_size=self.tokens, chats=asked)]

    def dump(self):
        return [self.memory(entry) for entry in self.user.profile(max_token_size=1_000_000)]

    def memory(self, entry):
        return {"id": str(entry.id), "text": f"{entry.topic}, {entry.sub_topic}: {entry.content}", "time": entry.updated_at}

    def close(self):
        self.client.delete_user(self.id)

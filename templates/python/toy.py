class Toy:  # keeps every turn, and finds those that share most words with the question
    time = True  # it stamps nothing with today's date

    def __init__(self):
        self.notes = []

    def store(self, conversation):
        self.notes += [{"id": f"{conversation.id}#{i}", "text": turn.text} for i, turn in enumerate(conversation.turns)]

    def retrieve(self, query, k):
        asked = set(query.lower().split())
        return sorted(self.notes, key=lambda note: -len(asked & set(note["text"].lower().split())))[:k]

    def dump(self):
        return self.notes

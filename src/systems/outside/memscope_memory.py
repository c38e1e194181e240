"""Serves a memory written in Python over the memory protocol (docs/protocol.md, docs/python.md).

    python memscope_memory.py MODULE CLASS [key=value ...]

MODULE is found in the working folder and on PYTHONPATH, or is a path to a .py file; CLASS is a class or a function that makes a memory.
One file for Python 3.9 and newer; it needs nothing but the standard library.
"""

import asyncio
import datetime
import importlib
import inspect
import itertools
import json
import math
import os
import re
import sys
import sysconfig
import threading
import time
import traceback
import uuid
from collections.abc import Iterable, Mapping

MOST_REPLY_BYTES = 64 * 1024 * 1024
MOST_MEMORIES = 1_000_000
MOST_SNAPSHOTS = 16
#: How long what is at work may go on after the input has ended.
GRACE_SECONDS = 1.0

#: Requests and the methods that take them, the first that is there; the last names of each row are MemFail's.
METHODS = {
    "store": ("store", "store_conversation", "update_memory", "finalize_conversation"),
    "retrieve": ("retrieve", "retrieve_memories", "get_memories"),
    "dump": ("dump", "get_all_memories"),
    "settle": ("settle",),
    "answer": ("answer",),
    "insert": ("insert",),
    "snapshot": ("snapshot",),
    "restore": ("restore",),
    "close": ("close", "aclose"),
}
OPTIONAL = ("dump", "settle", "answer", "insert", "snapshot", "restore")
DECLARED = {
    "name": str,
    "version": str,
    "about": str,
    "atomic": bool,
    "idempotent": bool,
    "concurrency": int,
    "time": bool,
    "depth": str,
    "answers": bool,
    "model": bool,
}

#: Names by which parameters are known, whatever their place.
QUERY = ("query", "question", "text", "prompt", "q", "query_text")
K = ("k", "top_k", "topk", "limit", "n", "n_results", "num_results", "max_results", "num_memories")
CONVERSATION = ("conversation", "conversation_history", "history", "messages")

TEXT_KEYS = ("text", "memory", "content", "fact", "page_content")
ID_KEYS = ("id", "uuid", "key", "memory_id")
SCORE_KEYS = ("score", "similarity", "relevance")
TIME_KEYS = ("time", "timestamp", "created_at", "valid_at")
STATUSES = ("live", "invalidated", "tombstone")


class Complaint(Exception):
    """Something that the author of the memory can mend; said without a type and a place."""


# What memories are given


class Record(dict):
    """A dict whose keys are attributes, too: `conversation["turns"]` is `conversation.turns`."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Words(str):
    """A string with fields: `query` is the question itself, and has `query.text`, `query["time"]` and so on."""

    def __new__(cls, text, fields):
        made = super().__new__(cls, text)
        made.fields = Record(fields)
        return made

    def __getnewargs__(self):
        return str(self), self.fields

    def __getattr__(self, name):
        if name != "fields" and name in self.fields:
            return self.fields[name]
        raise AttributeError(name)

    def __getitem__(self, key):
        return self.fields[key] if isinstance(key, str) else super().__getitem__(key)

    def get(self, key, default=None):
        return self.fields.get(key, default)


class Conversation(Record):
    """`id`, `time` and `turns` of `role` and `text`; besides, as other libraries want it, `messages` and `text`."""

    @property
    def messages(self):
        return [{"role": turn["role"], "content": turn["text"]} for turn in self["turns"]]

    @property
    def text(self):
        return "\n".join(f"{turn['role'].capitalize()}: {turn['text']}" for turn in self["turns"])


def conversation_of(data):
    return Conversation(data, turns=[Record(turn) for turn in data["turns"]])


def memfail_conversation(data, upto=None):
    """A conversation as MemFail has it: messages of a query and a response each. A turn without its other half has an empty one."""
    messages = []
    for turn in data["turns"]:
        if turn["role"] != "assistant":
            messages.append(Record(prompt=turn["text"], raw_query=turn["text"], response=""))
        elif messages and messages[-1].response == "":
            messages[-1]["response"] = turn["text"]
        else:
            messages.append(Record(prompt="", raw_query="", response=turn["text"]))
    return Record(conversation_id=data["id"], id=data["id"], time=data.get("time"), messages=messages[:upto])


# Calling what takes it


def fitted(function, offered, extra=()):
    """As much as the signature of a function takes: its arguments, and what was offered and not taken.

    `offered` are pairs of names and a value: a parameter gets the value that is known by its name; one without a default gets what is left, in
    order. `extra` is given by name alone.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [value for _, value in offered], {}, []
    rest, args, kwargs = list(offered), [], {}
    by_name = dict(extra)
    known = {parameter.name for parameter in parameters}
    for parameter in parameters:
        is_needed = parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY
        place = next((i for i, (names, _) in enumerate(rest) if parameter.name in names), None)
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            # Behind such a signature mostly stands another, by a decorator.
            while rest and not kwargs and "depth" not in rest[0][0]:
                args.append(rest.pop(0)[1])
            continue
        if place is None and parameter.name not in by_name and is_needed:
            place = next((i for i, (names, _) in enumerate(rest) if known.isdisjoint(names)), None)
        if place is not None:
            value = rest.pop(place)[1]
        elif parameter.name in by_name:
            value = by_name[parameter.name]
        else:
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY:
            args.append(value)
        else:
            kwargs[parameter.name] = value
    return args, kwargs, rest


def typed(name, text, parameter):
    """An option as its parameter wants it: a number or a truth, where its default or its annotation is one."""
    default = None if parameter.default is parameter.empty else parameter.default
    wanted = type(default) if isinstance(default, (bool, int, float)) else parameter.annotation
    if not isinstance(wanted, type):
        wanted = {"bool": bool, "int": int, "float": float}.get(str(wanted))
    try:
        if wanted is bool:
            return {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}[text.lower()]
        return wanted(text) if wanted in (int, float) else text
    except (KeyError, ValueError):
        raise Complaint(f'Expected the option "{name}" to be of type {wanted.__name__}, got "{text}".') from None


def made_by(maker, options, context):
    """A memory, made with the options and with what the signature names of the context."""
    try:
        parameters = inspect.signature(maker).parameters
    except (TypeError, ValueError):
        return maker(**options)
    takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    named = [p.name for p in parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    unknown = [name for name in options if name not in named and not takes_all]
    if unknown:
        takes = ", ".join(name for name in named if name not in context) or "none"
        raise Complaint(f'It takes no option "{unknown[0]}". Options it takes: {takes}.')
    given = {name: context[name] for name in named if name in context}
    for name, text in options.items():
        given[name] = typed(name, text, parameters[name]) if name in named else text
    return maker(**given)


# Reading what memories return


def shown(value):
    return f"{type(value).__name__} {ascii(value)[:80]}"


def plain_text(text):
    """Text that every reader of UTF-8 can take: halves of pairs are joined, or replaced where the other half is missing."""
    return str(text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def field_of(entry, keys):
    for key in keys:
        value = entry.get(key) if isinstance(entry, Mapping) else getattr(entry, key, None)
        if value is not None and not callable(value):
            return value
    return None


def number_of(value, what):
    if isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise Complaint(f"{what} is no number but {shown(value)}")
    # A score that is no number says nothing, as no score does; order is what counts.
    number = float(value)
    return number if math.isfinite(number) else None


def time_of(value, what):
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return datetime.datetime.fromtimestamp(value, datetime.timezone.utc).isoformat()
    raise Complaint(f"{what} is no time but {shown(value)}")


def memory_of(entry, what):
    """A memory as the protocol has it, of a string, a dict, an object with such attributes, or one of these with a score."""
    if isinstance(entry, str):
        return {"text": plain_text(entry)}
    if isinstance(entry, tuple):
        if len(entry) != 2:
            raise Complaint(f"{what} is a tuple of {len(entry)}; expected (text, score)")
        score = number_of(entry[1], f"the score of {what}")
        return {**memory_of(entry[0], what), **({} if score is None else {"score": score})}
    text = field_of(entry, TEXT_KEYS)
    if not isinstance(text, str):
        why = "has no text" if text is None else f"has no string for its text but {shown(text)}"
        raise Complaint(f"{what} {why}: {shown(entry)}. Expected a string, or one of {', '.join(TEXT_KEYS)}")
    memory = {"text": plain_text(text)}
    held = field_of(entry, ID_KEYS)
    if held is not None:
        if not isinstance(held, (str, int, uuid.UUID)):
            raise Complaint(f"the id of {what} is {shown(held)}")
        memory["id"] = plain_text(held)
    score = field_of(entry, SCORE_KEYS)
    if score is not None:
        score = number_of(score, f"the score of {what}")
    if score is not None:
        memory["score"] = score
    when = field_of(entry, TIME_KEYS)
    if when is not None and not (isinstance(when, str) and not when):
        memory["time"] = time_of(when, f"the time of {what}")
    status = field_of(entry, ("status",))
    if status is not None:
        if status not in STATUSES:
            raise Complaint(f"the status of {what} is {shown(status)}; expected {', '.join(STATUSES)}")
        memory["status"] = plain_text(status)
    sources = field_of(entry, ("sources",))
    if sources is not None:
        sources = [sources] if isinstance(sources, str) else list(sources)
        memory["sources"] = [plain_text(source) for source in sources]
    return memory


def memories_of(value, method):
    if isinstance(value, Mapping) and len(value) <= 2:
        # As mem0 and others return it.
        value = value.get("results", value.get("memories", value))
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise Complaint(f"{method} returned {shown(value)}; expected a list of memories")
    entries = list(itertools.islice(value, MOST_MEMORIES + 1))
    if len(entries) > MOST_MEMORIES:
        raise Complaint(f"{method} returned more than {MOST_MEMORIES:,} memories")
    return [memory_of(entry, f"memory {i} that {method} returned") for i, entry in enumerate(entries)]


LISTED = re.compile(r"^\s*(?:[-*•]|\d+[.)]|Memory(?: \(linked\))?:)\s+")


def memories_in(text):
    """The memories of one text, as MemFail returns them: items of a list, with all lines that follow each; without items, lines."""
    lines = text.split("\n")
    if not any(LISTED.match(line) for line in lines):
        return [line.strip() for line in lines if line.strip()]
    items = []
    for line in lines:
        if LISTED.match(line):
            items.append(LISTED.sub("", line, count=1))
        elif items:
            items[-1] += "\n" + line
    return [item.strip() for item in items if item.strip()]


def answer_of(value):
    used = None
    if isinstance(value, tuple) and len(value) == 2:
        value, used = value
    elif value is not None and not isinstance(value, str):
        used = field_of(value, ("used", "memories"))
        value = field_of(value, ("text", "answer", "content"))
    if not isinstance(value, str):
        raise Complaint(f"answer returned {shown(value)}; expected a string, or a dict with text and perhaps used")
    return {"text": plain_text(value), **({} if used is None else {"used": memories_of(used, "answer")})}


# The memory that is served


def found_module(name):
    if not name.endswith(".py"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not (name + ".").startswith(error.name + "."):
                raise
            raise Complaint(f'There is no module "{error.name}" in the working folder, nor on PYTHONPATH.') from None
    path = os.path.abspath(name)
    if not os.path.isfile(path):
        raise Complaint(f"There is no file {name}.")
    sys.path.insert(0, os.path.dirname(path))
    return importlib.import_module(os.path.splitext(os.path.basename(path))[0])


def found_maker(module, path):
    made = module
    for name in path.split("."):
        if not hasattr(made, name):
            here = [key for key, value in vars(module).items() if inspect.isclass(value) and value.__module__ == module.__name__]
            raise Complaint(f'"{module.__name__}" has no "{path}".' + (f" Classes in it: {', '.join(here)}." if here else ""))
        made = getattr(made, name)
    if not callable(made):
        raise Complaint(f'"{path}" of "{module.__name__}" is neither a class nor a function but {shown(made)}.')
    return made


def declared_by(maker):
    """What a class or a function says of itself. Methods and properties of such names say something else."""
    said = {}
    for name, kind in DECLARED.items():
        value = getattr(maker, name, None)
        if value is None or callable(value) or inspect.isdatadescriptor(value):
            continue
        if not isinstance(value, kind) or (kind is int and (isinstance(value, bool) or value < 1)):
            # Any class has things of its own that are called so.
            if name in ("model", "time", "name", "version", "about"):
                continue
            raise Complaint(f'Expected "{name}" to be of type {kind.__name__}, got {shown(value)}.')
        said[name] = plain_text(value) if kind is str else value
    if said.get("depth", "k") not in ("k", "fixed"):
        raise Complaint(f'Expected "depth" to be "k" or "fixed", got {shown(said["depth"])}.')
    return said


def method_of(holder, request):
    for name in METHODS[request]:
        if callable(getattr(holder, name, None)):
            return name
    return None


class Memory:
    """One memory, and how each request is put to it."""

    def __init__(self, maker, options, context, wait):
        self.wait = wait
        self.name = context["namespace"]
        self.snapshots = {}
        self.taken = 0
        self.declared = declared_by(maker)
        # A class that wants a model can be described before there is one.
        described = inspect.isclass(maker) and self.declared.get("model") and context["model"] is None
        self.held = None if described else wait(lambda: made_by(maker, options, context), True)
        holder = maker if described else self.held
        for needed in ("store", "retrieve"):
            if not method_of(holder, needed):
                raise Complaint(f'It has no method "{needed}" (nor {", ".join(METHODS[needed][1:])}).')
        self.methods = {request: method_of(holder, request) for request in METHODS}
        if self.declared.get("answers") and not self.methods["answer"]:
            raise Complaint('It declares "answers" but has no method "answer".')

    def description(self):
        both = self.methods["snapshot"] and self.methods["restore"]
        offers = [name for name in OPTIONAL if self.methods[name] and (both or name not in ("snapshot", "restore"))]
        return {"offers": offers, **self.declared}

    def call(self, request, offered, now, name=None):
        return self.call_and_leave(request, offered, now, name)[0]

    def call_and_leave(self, request, offered, now, name=None):
        """What a method returns, and what it did not take of what was offered."""
        if self.held is None:
            raise Complaint("It wants a model, and none was named: --model provider:model.")
        method = getattr(self.held, name or self.methods[request])
        args, kwargs, left = fitted(method, offered, [("now", now)])
        return method(*args, **kwargs), left

    def store(self, asked):
        data, method, now = asked["conversation"], self.methods["store"], asked["now"]
        if method == "store":
            return self.call("store", [(CONVERSATION, conversation_of(data))], now), lambda _: None
        if method == "store_conversation":
            return self.call("store", [(CONVERSATION, conversation_of(data).messages)], now), lambda _: None
        whole = memfail_conversation(data)
        if method == "update_memory":
            for i, message in enumerate(whole.messages):
                so_far = memfail_conversation(data, i + 1)
                offered = [(("prompt", "query"), message.prompt), (("response",), message.response), (CONVERSATION, so_far)]
                self.wait(lambda: self.call("store", offered, now))
        if callable(getattr(self.held, "finalize_conversation", None)):
            self.wait(lambda: self.call("store", [(CONVERSATION, whole)], now, "finalize_conversation"))
        return None, lambda _: None

    def retrieve(self, asked):
        query, k, method = asked["query"], asked["k"], self.methods["retrieve"]
        depth = Record(asked["depth"]) if isinstance(asked.get("depth"), dict) else asked.get("depth")
        words = Words(query["text"], query)
        offered = [(QUERY, words), (K, k), (("depth",), depth)]
        if method != "retrieve":
            history = [] if method == "retrieve_memories" else memfail_conversation({**query, "turns": []})
            offered.insert(1, (CONVERSATION, history))
        if method == "get_memories" and isinstance(getattr(self.held, "num_memories", None), int):
            # MemFail's systems get it when they are made, one for every k.
            self.held.num_memories = k
        value, left = self.call_and_leave("retrieve", offered, asked["now"])

        def read(value):
            listed = memories_in(value) if method == "get_memories" and isinstance(value, str) else value
            memories = memories_of(listed, method)
            return memories[:k] if any(names is K for names, _ in left) else memories

        return value, read

    def dump(self, asked):
        return self.call("dump", [], asked["now"]), lambda value: memories_of(value, self.methods["dump"])

    def settle(self, asked):
        limit = asked["timeoutMs"]
        # A parameter of any other name gets seconds, as Python counts.
        offered = [(("timeout", "seconds"), limit / 1000), (("timeout_ms", "timeoutMs", "ms"), limit)]
        return self.call("settle", offered, asked["now"]), lambda _: None

    def answer(self, asked):
        query = asked["query"]
        return self.call("answer", [(QUERY, Words(query["text"], query))], asked["now"]), answer_of

    def insert(self, asked):
        memories = [Record(memory) for memory in asked["memories"]]
        return self.call("insert", [(("memories",), memories)], asked["now"]), lambda _: None

    def snapshot(self, asked):
        return self.call("snapshot", [], asked["now"]), self.keep

    def keep(self, value):
        """What was taken stays here, whatever it is; only its number travels."""
        self.taken += 1
        self.snapshots[self.taken] = value
        for old in list(self.snapshots)[:-MOST_SNAPSHOTS]:
            del self.snapshots[old]
        return self.taken

    def restore(self, asked):
        number = asked["snapshot"]
        if number not in self.snapshots:
            raise Complaint("That snapshot is no longer there.")
        return self.call("restore", [(("snapshot", "state"), self.snapshots[number])], asked["now"]), lambda _: None

    def close(self, asked):
        if not self.methods["close"] or self.held is None:
            return None, lambda _: None
        return self.call("close", [], asked["now"]), lambda _: None


# Requests and replies


def complaint_of(error):
    """What went wrong in a sentence: type, message, and the last line of the author's own code."""
    if isinstance(error, Complaint):
        return plain_text(error)
    try:
        message = plain_text(error)
    except BaseException:
        message = "(its message cannot be read)"
    said = f"{type(error).__name__}: {message}" if message else type(error).__name__
    place = own_place(error)
    return said[:2000] + (f" ({place})" if place else "")


def own_place(error):
    if isinstance(error, SyntaxError) and error.filename:
        return f"{os.path.basename(error.filename)}:{error.lineno}"
    paths = sysconfig.get_paths()
    library = tuple(os.path.realpath(paths[name]) + os.sep for name in ("stdlib", "platstdlib"))
    frames = [(os.path.realpath(f.filename), f.lineno) for f in traceback.extract_tb(error.__traceback__) if f.filename[0] != "<"]
    frames = [frame for frame in frames if frame[0] != os.path.realpath(__file__)]
    own = [frame for frame in frames if not frame[0].startswith(library) and not re.search(r"[\\/](site|dist)-packages[\\/]", frame[0])]
    for file, line in (own or frames)[-1:]:
        here = os.path.realpath(os.getcwd()) + os.sep
        return f"{file[len(here) :] if file.startswith(here) else os.path.basename(file)}:{line}"
    return None


class Server:
    """Takes requests one after another and replies to each. Everything asynchronous lives in one loop, which also runs while nothing is asked."""

    def __init__(self, source, sink, module, maker, options):
        self.source, self.sink = source, sink
        self.module, self.maker, self.options = module, maker, options
        self.found = None
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.inbox = asyncio.Queue()
        self.working = set()
        self.memory = None
        self.now = ""

    def serve(self):
        threading.Thread(target=self.read, daemon=True).start()
        while True:
            line = self.finished(self.loop.create_task(self.inbox.get()))
            if line is None:
                return
            self.take(line)

    def read(self):
        """In a thread of its own, so that the end of the input is seen whatever the memory does."""
        for line in self.source:
            if line.strip():
                self.loop.call_soon_threadsafe(self.inbox.put_nowait, line)
        self.loop.call_soon_threadsafe(self.inbox.put_nowait, None)
        time.sleep(GRACE_SECONDS)
        os._exit(0)

    def finished(self, task):
        """Runs the loop until a task is done. Others that end the loop, as SystemExit does, are shown and change nothing."""
        while True:
            try:
                self.loop.run_until_complete(task)
            except BaseException:
                if not task.done():
                    traceback.print_exc()
                    continue
            return task.result()

    def wait(self, make, may_repeat=False):
        """What a function returns, or what comes of it if that takes time."""
        asyncio.set_event_loop(self.loop)
        try:
            value = make()
        except RuntimeError as error:
            # Clients of some libraries can only be made while a loop runs.
            if not may_repeat or "no running event loop" not in str(error):
                raise
            value = self.finished(self.loop.create_task(inside(make)))
        return self.awaited(value)

    def awaited(self, value):
        return self.finished(self.loop.create_task(result_of(value))) if is_awaited(value) else value

    def take(self, line):
        number = request = None
        try:
            asked = json.loads(line)
            number, request, self.now = asked["id"], asked["do"], asked.get("now", "")
            if request == "open":
                return self.reply(number, self.open(asked))
            if request not in METHODS:
                raise Complaint(f'There is no request "{request}".')
            if self.memory is None or asked["memory"] != self.memory.name:
                if request == "close":
                    return self.reply(number, None)
                raise Complaint("No such memory is open.")
            if request != "close" and not self.memory.methods[request]:
                raise Complaint(f'It has no method "{request}".')
            if request in ("close", "snapshot", "restore"):
                self.drain()
            asyncio.set_event_loop(self.loop)
            value, read = getattr(self.memory, request)(asked)
            if is_awaited(value) and self.memory.declared.get("concurrency", 1) > 1 and request != "close":
                task = self.loop.create_task(self.later(number, value, read))
                self.working.add(task)
                task.add_done_callback(self.working.discard)
            else:
                self.reply(number, read(self.awaited(value)))
        except BaseException as error:
            self.fail(number, error)
        finally:
            if request == "close" and self.memory and asked["memory"] == self.memory.name:
                self.memory = None

    async def later(self, number, value, read):
        try:
            self.reply(number, read(await result_of(value)))
        except BaseException as error:
            self.fail(number, error)

    def drain(self):
        while self.working:
            self.finished(next(iter(self.working)))

    def open(self, asked):
        self.memory = None
        model = asked.get("model")
        if model:
            os.environ.update(OPENAI_BASE_URL=model["url"], OPENAI_API_KEY=model["token"], MEMSCOPE_MODEL=model["name"])
        context = {
            "workdir": asked.get("workdir"),
            "namespace": asked["memory"],
            "model": Words(model["name"], model) if model else None,
            "now": lambda: self.now,
            # By the names that MemFail's systems have for them.
            "run_dir": asked.get("workdir"),
            "shared_user_id": asked["memory"],
            "num_memories": 5,
        }
        options = {**self.options, **asked.get("options", {})}
        self.found = self.found or found_maker(found_module(self.module), self.maker)
        self.memory = Memory(self.found, options, context, self.wait)
        return self.memory.description()

    def reply(self, number, value):
        self.write({"id": number} if value is None else {"id": number, "value": value})

    def fail(self, number, error):
        if not isinstance(error, Complaint):
            traceback.print_exception(type(error), error, error.__traceback__)
        self.write({"id": number, "error": complaint_of(error)})

    def write(self, said):
        data = json.dumps(said, allow_nan=False).encode("ascii") + b"\n"
        if len(data) > MOST_REPLY_BYTES:
            error = f"The reply would have {len(data):,} bytes; at most {MOST_REPLY_BYTES:,} are taken."
            data = json.dumps({"id": said["id"], "error": error}).encode("ascii") + b"\n"
        try:
            self.sink.write(data)
            self.sink.flush()
        except OSError:
            os._exit(1)


async def inside(make):
    return make()


def is_awaited(value):
    return inspect.isawaitable(value) or inspect.isasyncgen(value)


async def result_of(value):
    """What comes of something asynchronous."""
    if inspect.isasyncgen(value):
        return [entry async for entry in value]
    return await value


def own_channels():
    """The input and output of the protocol, out of reach: whoever prints, writes to standard error, and whoever reads finds nothing."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb")


def main(words):
    if len(words) < 2:
        sys.exit("python memscope_memory.py MODULE CLASS [key=value ...]")
    module, maker, *rest = words
    source, sink = own_channels()
    sys.path[0] = os.getcwd()
    Server(source, sink, module, maker, dict(word.partition("=")[::2] for word in rest)).serve()


if __name__ == "__main__":
    main(sys.argv[1:])

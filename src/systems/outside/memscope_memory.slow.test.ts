import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/cli.js'
import { PythonMemory, pythonFixtures, withoutPython } from '../../../test/python.js'

const started: PythonMemory[] = []
const shared = new Map<string, PythonMemory>()

function start(module: string, made: string, ...rest: string[]): PythonMemory {
  const memory = new PythonMemory([module, made, ...rest])
  started.push(memory)
  return memory
}

async function opened(module: string, made: string): Promise<PythonMemory> {
  const memory = start(module, made)
  expect(await memory.open()).not.toHaveProperty('error')
  return memory
}

/** A new memory; those of one class share a process, as they do in a run. */
async function lenient(made: string): Promise<PythonMemory> {
  const memory = shared.get(made) ?? new PythonMemory(['lenient', made])
  shared.set(made, memory)
  expect(await memory.open()).not.toHaveProperty('error')
  return memory
}

const text = (text: string) => ({ text })

afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
})

afterAll(() => {
  for (const { child } of shared.values()) child.kill('SIGKILL')
})

describe.skipIf(withoutPython)(`a memory in Python${withoutPython}`, () => {
  it('stores, retrieves, dumps, closes and is made anew', async () => {
    const memory = await opened('lenient', 'Notes')
    expect(await memory.store('I moved to Oslo.', 'Noted.')).toEqual({ id: 2 })
    const both = [
      { id: 'c1#0', text: 'I moved to Oslo.' },
      { id: 'c1#1', text: 'Noted.' },
    ]
    expect(await memory.retrieve()).toEqual({ id: 3, value: both })
    expect(await memory.ask('dump')).toEqual({ id: 4, value: both })
    expect(await memory.ask('close')).toEqual({ id: 5 })
    expect((await memory.ask('dump')).error).toBe('No such memory is open.')
    expect(await memory.ask('close')).toEqual({ id: 7 })
    expect((await memory.open()).value).toEqual({ offers: ['dump'] })
    expect((await memory.ask('dump')).value).toEqual([])
    expect(await memory.ask('close', { memory: 'another' })).toEqual({ id: 10 })
    expect((await memory.ask('dump')).value).toEqual([])
    expect(await memory.end()).toBe(0)
  })

  it('is found in the working folder, by its path, and on PYTHONPATH', async () => {
    const cwd = temporaryFolder()
    const elsewhere = join(cwd, 'elsewhere')
    mkdirSync(elsewhere)
    const source = 'from lenient import Notes as Mine\n'
    writeFileSync(join(cwd, 'here.py'), source)
    writeFileSync(join(elsewhere, 'there.py'), 'from beside import Mine\n')
    writeFileSync(join(elsewhere, 'beside.py'), source)
    for (const module of ['here', './elsewhere/there.py', 'lenient']) {
      const words = [module, module === 'lenient' ? 'Notes' : 'Mine']
      const memory = new PythonMemory(words, { cwd, env: { PYTHONPATH: pythonFixtures } })
      started.push(memory)
      expect(await memory.open()).toEqual({ id: 1, value: { offers: ['dump'] } })
    }
  })

  it('may be made by a function, also by one that takes its time', async () => {
    const made = await lenient('make_notes')
    expect((await made.retrieve()).value).toEqual([text('/tmp m1')])
    await lenient('make_later')
    await lenient('NeedsLoop')
  })

  it('declares by attributes of its class, and gets its model by name', async () => {
    const memory = start('lenient', 'Declares')
    const declared = {
      offers: ['dump', 'answer'],
      name: 'declares',
      version: '3.1',
      about: 'says all there is to say',
      atomic: true,
      idempotent: true,
      concurrency: 4,
      time: true,
      depth: 'fixed',
      answers: true,
      model: true,
    }
    expect((await memory.open()).value).toEqual(declared)
    expect((await memory.store('a')).error).toBe('It wants a model, and none was named: --model provider:model.')
    await memory.ask('close')
    await memory.open({ model: { url: 'http://127.0.0.1:1/v1', token: 'secret', name: 'a:model' } })
    expect((await memory.retrieve()).value).toEqual([text('a:model at http://127.0.0.1:1/v1 with secret')])
    expect((await memory.ask('answer', { query: { id: 'q', text: 'Who?' } })).value).toEqual(text('You asked: Who?'))
  })

  it('says what is wrong with a declaration, and takes no other attribute for one', async () => {
    expect((await start('lenient', 'Properties').open()).value).toEqual({ offers: ['dump'] })
    expect((await start('lenient', 'WrongDeclaration').open()).error).toBe(
      'Expected "atomic" to be of type bool, got str \'yes\'.',
    )
    expect((await start('lenient', 'NoAnswer').open()).error).toBe('It declares "answers" but has no method "answer".')
  })

  it('gets options as its signature has them', async () => {
    const memory = start('lenient', 'Options', 'threshold=0.75', 'size=7', 'extra=1')
    await memory.open({ options: { strict: 'on', size: '9' } })
    expect((await memory.retrieve()).value).toEqual([
      text("(0.75, 9, True, 'none', [('extra', '1')])"),
      text('2025-03-04T09:00:00Z'),
    ])
    expect((await start('lenient', 'Options', 'size=many').open()).error).toBe(
      'Expected the option "size" to be of type int, got "many".',
    )
    expect((await start('lenient', 'FewOptions', 'colour=red').open()).error).toBe(
      'It takes no option "colour". Options it takes: size.',
    )
  })

  it.each([
    [
      'QueryFields',
      [
        'Where do I live?',
        'Where do I live?',
        'Where do I live?',
        '2025-03-04T09:00:00Z',
        'q1',
        'WHERE DO I LIVE?',
        'W',
        '-',
        'Where do I live?',
      ],
    ],
    ['WithDepth', ['Where do I live? 9 9']],
    ['Backwards', ['9 Where do I live? 0.25']],
    ['KeywordOnly', ['9 Where do I live?']],
    ['Decorated', ['9 Where do I live?']],
    ['Wrapped', ['9 Where do I live?']],
  ])('is asked as its signature has it: %s', async (made, texts) => {
    expect((await (await lenient(made)).retrieve(9)).value).toEqual(texts.map(text))
  })

  it('sees a conversation as turns, as messages and as text', async () => {
    const memory = await lenient('Views')
    await memory.store('Hello.', 'Hi!')
    expect((await memory.ask('dump')).value).toEqual([
      text('User: Hello.\nAssistant: Hi!'),
      text("[{'role': 'user', 'content': 'Hello.'}, {'role': 'assistant', 'content': 'Hi!'}]"),
      text('2025-03-04T09:00:00Z'),
      text('2025-03-04T09:00:00Z'),
    ])
  })

  it('returns memories in the shapes of common libraries', async () => {
    const memory = await lenient('Shapes')
    expect((await memory.retrieve(9)).value).toEqual([
      { text: 'a string' },
      { text: 'a tuple', score: 0.5 },
      { text: 'as mem0 has it', id: '7', score: 0.25, time: '2025-03-04' },
      { text: 'as A-MEM has it', id: 'n1' },
      { text: 'as LangChain has it', score: 1 },
      {
        text: 'as Graphiti has it',
        id: '00000000-0000-0000-0000-000000000005',
        time: '2025-03-04T00:00:00+00:00',
        score: 0.75,
      },
      { text: 'all of it', status: 'tombstone', sources: ['c1', 'c2'], time: '1970-01-01T00:00:00+00:00' },
    ])
    expect((await memory.ask('dump')).value).toEqual([text('in results')])
  })

  it('takes every other request that it has a method for', async () => {
    const memory = start('lenient', 'All')
    expect((await memory.open()).value).toEqual({
      offers: ['dump', 'settle', 'answer', 'insert', 'snapshot', 'restore'],
    })
    await memory.ask('settle', { timeoutMs: 1500 })
    const { value: before } = await memory.ask('snapshot')
    await memory.ask('insert', { memories: [{ id: 'x', text: 'put in' }] })
    expect((await memory.ask('dump')).value).toEqual([text('settled in 1.5'), text('put in')])
    expect(await memory.ask('restore', { snapshot: before })).not.toHaveProperty('error')
    expect((await memory.ask('dump')).value).toEqual([text('settled in 1.5')])
    expect((await memory.ask('restore', { snapshot: 99 })).error).toBe('That snapshot is no longer there.')
    expect((await memory.ask('answer', { query: { id: 'q', text: 'this' } })).value).toEqual({
      text: 'About this',
      used: [text('settled in 1.5')],
    })
    await memory.ask('close')
    await memory.end()
    expect(memory.err).toBe('closed in order\n')
    expect((await start('lenient', 'HalfSnapshot').open()).value).toEqual({ offers: ['dump'] })
    const byMs = await lenient('SettlesMs')
    await byMs.ask('settle', { timeoutMs: 1500 })
    expect((await byMs.ask('dump')).value).toEqual([text('settled in 1500 ms')])
  })

  it("may have MemFail's methods, as the paper names them", async () => {
    const memory = await opened('memfail_like', 'Paper')
    await memory.store('One.', 'Two.', 'Three.')
    expect((await memory.retrieve(2)).value).toEqual([text('user: One.'), text('assistant: Two.')])
    expect((await memory.ask('dump')).value).toHaveLength(3)
  })

  it("may have MemFail's methods, as its systems had them", async () => {
    const memory = await opened('memfail_like', 'Released')
    expect(await memory.store('One.', 'Two.', 'Three.')).toEqual({ id: 2 })
    const last = "c1 of m1: ['One.>Two.', 'Three.>']\nsecond line"
    expect((await memory.ask('dump')).value).toEqual([text('One.|Two.|1'), text('Three.||2'), text(last)])
    expect((await memory.retrieve(1)).value).toEqual([text(last)])
    expect((await memory.retrieve(2)).value).toEqual([text('Three.||2'), text(last)])
  })

  it('keeps all that is printed out of the protocol', async () => {
    const memory = await opened('noisy', 'Noisy')
    expect(await memory.store('a')).toEqual({ id: 2 })
    expect(await memory.retrieve()).toEqual({ id: 3, value: [text('done')] })
    await memory.end()
    for (const way of [
      'imported',
      'made',
      'forged',
      'number',
      'by C',
      'child',
      'first name',
      'by a logger',
      'half \\ud83d',
    ])
      expect(memory.err).toContain(way)
    expect(memory.err.match(/a flood .*\n/g)).toHaveLength(20_000)
  })

  it('keeps one loop, which also runs between calls', async () => {
    const memory = await lenient('Loops')
    await memory.store('a')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await memory.ask('dump')).value).toEqual([text('listed')])
    const [sameLoop, ticks] = (await memory.retrieve()).value as { text: string }[]
    expect(sameLoop).toEqual(text('True'))
    expect(Number(ticks!.text)).toBeGreaterThan(3)
    expect((await (await lenient('Streams')).retrieve(2, 'x')).value).toEqual([text('x 0'), text('x 1')])
  })

  it('is asked several things at a time, if it says so', async () => {
    const memory = await lenient('Together')
    const query = (text: string) => ({ query: { id: text, text }, k: 1, depth: { k: 1 } })
    const slow = memory.send('retrieve', query('slow'))
    const quick = memory.send('retrieve', query('quick'))
    const closed = memory.send('close')
    expect([await memory.next(), await memory.next(), await memory.next()]).toEqual([
      { id: quick, value: [text('quick')] },
      { id: slow, value: [text('slow')] },
      { id: closed },
    ])
  })

  it.each([
    ['none', 'retrieve returned NoneType None; expected a list of memories'],
    ['string', "retrieve returned str 'only one string'; expected a list of memories"],
    ['number', 'retrieve returned int 5; expected a list of memories'],
    ['dict', "retrieve returned dict {'a': 'b'}; expected a list of memories"],
    ['numbers', 'memory 0 that retrieve returned has no text: int 5.'],
    ['bytes', "memory 0 that retrieve returned has no text: bytes b'text'."],
    ['no text', "memory 0 that retrieve returned has no text: dict {'id': 'x'}."],
    ['text of bytes', "memory 0 that retrieve returned has no string for its text but bytes b'x': "],
    ['three', 'memory 0 that retrieve returned is a tuple of 3; expected (text, score)'],
    ['wrong score', "the score of memory 0 that retrieve returned is no number but str 'high'"],
    ['wrong id', "the id of memory 0 that retrieve returned is list ['x']"],
    [
      'wrong status',
      "the status of memory 0 that retrieve returned is str 'gone'; expected live, invalidated, tombstone",
    ],
    ['wrong time', 'the time of memory 0 that retrieve returned is no time but object <object object at '],
    ['endless', 'retrieve returned more than 1,000,000 memories'],
  ])('that returns what is no memory is told what came: %s', async (what, error) => {
    const memory = await lenient('Hostile')
    expect((await memory.retrieve(5, what)).error?.slice(0, error.length)).toBe(error)
    expect((await memory.retrieve(5, 'nan')).value).toEqual([text('a'), text('b')])
  })

  it('writes what any reader can read', async () => {
    const memory = await lenient('Hostile')
    expect((await memory.retrieve(5, 'surrogates')).value).toEqual([
      text('half \ufffd'),
      text('whole \u{1f600}'),
      text('nul \0 line \u2028'),
    ])
  })

  it.each([
    ['value', /^ValueError: no such thing \(lenient\.py:\d+\)$/],
    ['library', /^JSONDecodeError: Expecting property name .* \(lenient\.py:\d+\)$/],
    ['exit', /^SystemExit: 3 \(lenient\.py:\d+\)$/],
    ['interrupt', /^KeyboardInterrupt \(lenient\.py:\d+\)$/],
    ['unreadable', /^Unreadable: \(its message cannot be read\) \(lenient\.py:\d+\)$/],
    ['deep', /^RecursionError: maximum recursion depth exceeded/],
    ['input', /^EOFError: EOF when reading a line \(lenient\.py:\d+\)$/],
    ['long', /^ValueError: x{1900,2000} \(lenient\.py:\d+\)$/],
    ['big', /^The reply would have 70,\d{3},\d{3} bytes; at most 67,108,864 are taken\.$/],
  ])('that fails says why, and lives on: %s', async (how, error) => {
    const memory = await lenient('Fails')
    expect((await memory.retrieve(5, how)).error).toMatch(error)
    expect((await memory.retrieve()).value).toEqual([text('alive')])
  })

  it.each([
    ['exit', { error: expect.stringMatching(/^SystemExit: 3/) }],
    ['cancelled', { error: expect.stringMatching(/^CancelledError/) }],
    ['background', { value: [text('alive')] }],
  ])('that fails in its loop says why, and lives on: %s', async (how, reply) => {
    const memory = await lenient('AsyncFails')
    expect(await memory.retrieve(5, how)).toMatchObject(reply)
    expect((await memory.retrieve()).value).toEqual([text('alive')])
  })

  it.each([
    ['nowhere', 'Any', 'There is no module "nowhere" in the working folder, nor on PYTHONPATH.'],
    ['./nowhere.py', 'Any', 'There is no file ./nowhere.py.'],
    ['memfail_like', 'Any', '"memfail_like" has no "Any". Classes in it: Paper, Released.'],
    ['lenient', 'not_a_class', '"not_a_class" of "lenient" is neither a class nor a function but int 5.'],
    ['lenient', 'NoStore', 'It has no method "store" (nor store_conversation, update_memory, finalize_conversation).'],
    ['broken', 'Broken', /^SyntaxError: .*\(broken\.py:1\)$/],
  ])('that cannot be made says why: %s %s', async (module, made, error) => {
    const reply = await start(module, made).open()
    expect(reply.error).toEqual(error instanceof RegExp ? expect.stringMatching(error) : error)
  })

  it('answers lines that are no requests', async () => {
    const memory = start('lenient', 'Notes')
    memory.write('not JSON')
    expect(await memory.next()).toMatchObject({ id: null, error: expect.stringContaining('JSONDecodeError') })
    memory.write('[1]')
    expect(await memory.next()).toMatchObject({ id: null, error: expect.stringContaining('TypeError') })
    expect((await memory.ask('sing')).error).toBe('There is no request "sing".')
    await memory.open()
    expect((await memory.ask('snapshot')).error).toBe('It has no method "snapshot".')
  })

  it.each(['store', 'retrieve'])('ends with its input, also while %s hangs', async (request) => {
    const memory = await opened('lenient', 'Hangs')
    memory.send(request, {
      conversation: { id: 'c', turns: [] },
      query: { id: 'q', text: 'x' },
      k: 1,
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const before = Date.now()
    expect(await memory.end()).toBe(0)
    expect(Date.now() - before).toBeLessThan(10_000)
  })
})

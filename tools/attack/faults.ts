import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Random } from '../../src/base/random.js'

/** What an honest provider would send, and what the faults need besides. */
export interface Good {
  /** The reply as it would be sent. */
  body: string
  kind: 'chat' | 'embedding'
  /** JSON was asked for, so that spoilt words can be told from good ones. */
  hasSchema: boolean
  /** Where a redirect leads to: a server that must never be reached. */
  elsewhere: string
  /** What came as key: a provider may say it aloud. */
  authorization: string
}

export type Fault = (response: ServerResponse, good: Good) => unknown

interface Message {
  content: unknown
  tool_calls?: unknown
}

type Reply = Record<string, unknown> & {
  choices: { message: Message; finish_reason: string }[]
  data: { index: number; embedding: unknown }[]
  usage: Record<string, unknown>
}

const JSON_TYPE = { 'content-type': 'application/json' }
const ANSI = '\x1b]0;OWNED\x07\x1b[2J\x1b[31m\x9b1mred\r\x08\x00\u202eesrever'

/** Faults of anything that is sent over HTTP. After most of them the same is asked for again. */
const OF_THE_WIRE: Record<string, Fault> = {
  'reset before the headers': ({ socket }) => socket?.resetAndDestroy(),
  'reset within the body': (response, { body }) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(body) })
    response.write(body.slice(0, 20), () => response.socket?.resetAndDestroy())
  },
  'half a body': (response, { body }) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(body) })
    response.write(body.slice(0, body.length / 2), () => response.socket?.end())
  },
  'cut at a short content-length': (response, { body }) => send(response, body.slice(0, body.length / 2)),
  'a body that drips for ever': (response) => {
    response.writeHead(200, JSON_TYPE)
    const drip = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(drip))
  },
  'a body that drips and ends': async (response, { body }) => {
    response.writeHead(200, JSON_TYPE)
    for (let at = 0; at < 8; at++) {
      response.write(body.slice((at * body.length) / 8, ((at + 1) * body.length) / 8))
      await new Promise((resume) => setTimeout(resume, 30))
    }
    response.end()
  },
  'a connection that hangs': () => {},
  'headers, then silence': (response) => response.writeHead(200, JSON_TYPE).flushHeaders(),
  'HTML in place of JSON': (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please log in.</body></html>'),
  'JSON that is none': (response, { body }) => send(response, body.replaceAll('"', "'")),
  'nothing at all': (response) => send(response, ''),
  '204 without content': (response) => response.writeHead(204).end(),
  'another schema': (response) => send(response, '{"unexpected":[1]}'),
  'a list in place of an object': (response) => send(response, '[null]'),
  'lists within lists': (response) => send(response, '['.repeat(300_000)),
  '20 MB': (response, { body }) => send(response, `${body}${' '.repeat(20_000_000)}`),
  'a gzip bomb': (response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipBomb()),
  'gzip that is none': (response, { body }) =>
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(body),
  'an encoding nobody knows': (response, { body }) =>
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'rot13' }).end(body),
  'a redirect': (response, { elsewhere }) => response.writeHead(307, { location: elsewhere }).end(),
  'another content type': (response, { body }) =>
    response.writeHead(200, { 'content-type': 'application/x-nonsense' }).end(body),
  'bytes that are no UTF-8': (response, { body }) => {
    const [at, bytes] = [body.length / 2, Buffer.from(body)]
    send(response, Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xfe, 0xc3]), bytes.subarray(at)]))
  },
  'two lengths': raw((body) => `HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n${body}`),
  'a header of a megabyte': raw((body) => `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n${body}`),
  'a broken chunk': raw(() => 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n'),
  'no HTTP': raw(() => `SSH-2.0-Nonsense ${ANSI}\r\n`),
  'early hints, and then the reply': (response, { body }) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    send(response, body)
  },
  'keys of prototypes': (response, { body }) =>
    send(response, body.replace('{', '{"__proto__":{"choices":[]},"constructor":{"prototype":{}},"toString":null,')),
  'terminal codes in an error': refusal(500, ANSI),
  'the key in an error': (response, { authorization }) => refusal(500, `You sent ${authorization}`)(response),
  'an error of a megabyte': refusal(500, 'e'.repeat(1_000_000)),
  'an error that is HTML': (response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'.repeat(1000)),
  '408': refusal(408),
  '409': refusal(409),
  '425': refusal(425),
  '503, Retry-After: 0': refusal(503, 'Busy.', { 'retry-after': '0' }),
  '504': refusal(504),
  '529': refusal(529),
  ...Object.fromEntries(
    [
      '-5',
      'soon',
      '0.2',
      '1e9',
      '0x10',
      '',
      'Thu, 01 Jan 1970 00:00:00 GMT',
      '1, 1',
      'NaN',
      ANSI.replace(/[\r\0]/g, ''),
    ].map((after) => [`429, Retry-After: ${JSON.stringify(after).slice(0, 12)}`, raw(() => tooMany(after))]),
  ),
}

/** Faults of the reply of a model. */
const OF_CHAT: Record<string, Fault> = {
  'no choices': spoilt((reply) => void reply.choices.splice(0)),
  'null in place of choices': spoilt((reply) => void Object.assign(reply, { choices: null })),
  'null as content': said(null),
  'nothing as content': said(''),
  'a number as content': said(42),
  'a list as content': said([{ type: 'nonsense' }]),
  'a reply of 1.5 million characters': said('word '.repeat(300_000)),
  'tool calls of garbage': spoilt(({ choices }) => {
    choices[0]!.message = { content: null, tool_calls: [{ id: 7, function: 'rm -rf' }, null] }
  }),
  'a tool that nobody offered': spoilt(({ choices }) => {
    const call = { id: 'x', type: 'function', function: { name: 'shell', arguments: '{"run":"id"}' } }
    choices[0]!.message = { content: null, tool_calls: [call] }
  }),
  'cut off at the most tokens': spoilt(({ choices: [choice] }, { hasSchema }) => {
    const { content } = choice!.message
    choice!.message.content = hasSchema ? String(content).slice(0, String(content).length / 2) : ''
    choice!.finish_reason = 'length'
  }),
  'kept back by a filter': spoilt(({ choices: [choice] }) => {
    choice!.message.content = ''
    choice!.finish_reason = 'content_filter'
  }),
  'nothing but thoughts': said('<think>Let me see, what did they say'),
  'JSON of another schema': words(() => '{"unexpected":{"__proto__":[1]}}'),
  'broken JSON in the reply': words((text) => `${text.replaceAll('"', "'")},`),
  'words around JSON': words(() => 'Sure! Here is what you asked for.'),
  'negative usage': used({ prompt_tokens: -5000, completion_tokens: -5000 }),
  'absurd usage': used({ prompt_tokens: 1e15, completion_tokens: 1e15 }),
  'half a token': used({ prompt_tokens: 12.5, completion_tokens: 0.5 }),
  'more cached than sent': used({ prompt_tokens_details: { cached_tokens: 1e9 } }),
}

/** Faults of vectors. */
const OF_EMBEDDINGS: Record<string, Fault> = {
  'vectors with NaN': (response, { body }) => send(response, body.replace(/"embedding":\[[^,\]]+/, '"embedding":[NaN')),
  'vectors with null': spoilt(({ data }) => void Object.assign(data[0]!, { embedding: [null, 1, 1, 1, 1, 1, 1, 1] })),
  'vectors of words': spoilt(({ data }) => void Object.assign(data[0]!, { embedding: Array(8).fill('NaN') })),
  'vectors that are short': spoilt(({ data }) => void Object.assign(data.at(-1)!, { embedding: [1, 2] })),
  'vectors of zeros': spoilt(({ data }) => void Object.assign(data[0]!, { embedding: Array(8).fill(0) })),
  'too few vectors': spoilt(({ data }) => void data.pop()),
  'too many vectors': spoilt(({ data }) => void data.push(data[0]!)),
  'an index twice': spoilt(({ data }) => void data.push({ ...data.pop()!, index: data.length > 0 ? 0 : 7 })),
  'vectors in another order': spoilt(({ data }) => void data.reverse()),
  'negative usage of vectors': used({ prompt_tokens: -1, total_tokens: -1 }),
}

/** Faults that end a run at once, with what is said about them: waiting would mend none of them. */
export const FATAL: Record<string, [fault: Fault, words: RegExp]> = {
  '401': [refusal(401, 'No such key.'), /401[\s\S]*key/],
  '401 with the key': [(response, { authorization }) => refusal(401, authorization)(response), /401[\s\S]*key/],
  '402': [refusal(402, 'insufficient_quota'), /credit or quota/],
  '403': [refusal(403, `Not for you.${ANSI}`), /403[\s\S]*key/],
  '404': [refusal(404, 'No such model.'), /404[\s\S]*name of the model/],
  '429 without credit': [refusal(429, 'You exceeded your current quota: insufficient_quota'), /credit or quota/],
  '429, Retry-After: 1 day': [refusal(429, 'Slow down.', { 'retry-after': '86400' }), /86,400 s[\s\S]*--resume/],
  '503, Retry-After: 2099': [
    refusal(503, 'Closed.', { 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }),
    /longer than[\s\S]*--resume/,
  ],
}

/** Whether a request is spoilt: a function of the seed, what is asked and how often it came before, whatever the order. */
export function isSpoilt(seed: number, request: string, times: number, rate: number): boolean {
  const draw = createHash('sha256').update(`${seed} ${times} ${request}`).digest()
  return draw.readUInt32BE(0) / 2 ** 32 < rate
}

/**
 * The faults that a server of one kind goes through, in an order of the seed, so that none is left to chance: all that only replies of this
 * kind have, in turn with one half of those of the wire. The other kind has the other half.
 */
export function faultsOf(kind: Good['kind'], seed: number): [name: string, fault: Fault][] {
  const random = new Random(seed)
  const wire = random.shuffle(Object.entries(OF_THE_WIRE)).filter((_, i) => i % 2 === (kind === 'chat' ? 0 : 1))
  const own = random.shuffle(Object.entries(kind === 'chat' ? OF_CHAT : OF_EMBEDDINGS))
  return Array.from({ length: Math.max(wire.length, own.length) }, (_, i) =>
    [wire[i], own[i]].filter((fault) => fault !== undefined),
  ).flat()
}

function send(response: ServerResponse, body: string | Buffer): void {
  // Who refuses what comes hangs up while it is still being sent.
  response.on('error', () => {})
  response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(body) }).end(body)
}

function refusal(status: number, message = 'No.', headers: Record<string, string> = {}) {
  return (response: ServerResponse) =>
    response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify({ error: { message } }))
}

/** Bytes that Node's server would not write. */
function raw(bytes: (body: string) => string): Fault {
  return ({ socket }, { body }) => socket?.end(bytes(body), 'latin1')
}

function tooMany(retryAfter: string): string {
  const body = '{"error":{"message":"Slow down."}}'
  return `HTTP/1.1 429 Too Many\r\nRetry-After: ${retryAfter}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function spoilt(spoil: (reply: Reply, good: Good) => void): Fault {
  return (response, good) => {
    const reply = JSON.parse(good.body) as Reply
    spoil(reply, good)
    send(response, JSON.stringify(reply))
  }
}

function said(content: unknown): Fault {
  return spoilt(({ choices }) => void Object.assign(choices[0]!.message, { content }))
}

/** Other words where JSON was asked for; elsewhere nobody could tell them from an answer, so there is none. */
function words(other: (text: string) => string): Fault {
  return spoilt(({ choices: [choice] }, { hasSchema }) => {
    choice!.message.content = hasSchema ? other(String(choice!.message.content)) : null
  })
}

function used(usage: Record<string, unknown>): Fault {
  return spoilt((reply) => void Object.assign(reply.usage, usage))
}

let bomb: Buffer | undefined

/** 2 GiB of spaces in 2 MB. */
function gzipBomb(): Buffer {
  bomb ??= Buffer.concat(Array(128).fill(gzipSync(Buffer.alloc(16 * 2 ** 20, ' '))))
  return bomb
}

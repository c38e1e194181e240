/**
 * Runs the official package `mem0ai` in a process of its own and does what its parent says, one thing after the other. Plain JavaScript of
 * the older kind: the package finds its language parts only that way, and time, ids and the network must be set before it is loaded.
 */
const crypto = require('node:crypto')
const { createRequire } = require('node:module')
const net = require('node:net')
const { join } = require('node:path')

/** More than any store holds; the package stops at 20 unless told. */
const ALL = 1_000_000

/** Milliseconds in which a model may answer: whoever asks it has limits of its own. */
const PATIENCE = 6 * 3_600_000

/** Time of the scenario; every message of the parent sets it. */
let now = 0
globalThis.Date = new Proxy(Date, {
  construct: (Real, given, made) => Reflect.construct(Real, given.length > 0 ? given : [now], made),
  apply: (Real) => new Real(now).toString(),
  get: (Real, key) => (key === 'now' ? () => now : Reflect.get(Real, key)),
})

/** Ids count up: the first part says in which order to store, the last which one of it. */
const ids = { series: 0, number: 0 }
crypto.randomUUID = () => {
  const hex = (value, digits) => value.toString(16).padStart(digits, '0')
  return `${hex(ids.series, 8)}-0000-4000-8000-${hex(++ids.number, 12)}`
}

/** Only this machine is reached. */
const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...given) {
  const [first, second] = Array.isArray(given[0]) ? given[0] : given
  const to =
    first !== null && typeof first === 'object' ? first : { host: typeof second === 'string' ? second : undefined }
  const host = to.path ? undefined : to.host
  if (host === undefined || /^(?:127(?:\.\d+){3}|localhost|::1)$/i.test(host)) return connect.apply(this, given)
  process.send({ refused: host })
  process.nextTick(() => this.destroy(new Error(`Only this machine is reached, not ${host}`)))
  return this
}

/** What the package keeps is in databases in memory. A store is one transaction in each, which stays open until the next. */
const databases = []
function noteDatabases(load) {
  const path = load.resolve('better-sqlite3')
  const Database = load(path)
  require.cache[path].exports = class extends Database {
    constructor(...given) {
      super(...given)
      databases.push(this)
    }
  }
}
const endTransactions = (word) => {
  for (const database of databases) if (database.inTransaction) database.exec(word)
}

let memory
let user
let least

const operations = {
  async open({ folder, url, token, dimension, namespace, threshold, instructions }) {
    const load = createRequire(join(folder, 'package.json'))
    // Without it the package would find other names, and say nothing.
    load.resolve('compromise')
    noteDatabases(load)
    const { Memory } = load('mem0ai/oss')
    user = namespace
    const model = { apiKey: token, baseURL: url }
    memory = new Memory({
      llm: { provider: 'openai', config: { ...model, model: 'memscope', timeout: PATIENCE } },
      embedder: { provider: 'openai', config: { ...model, model: 'memscope' } },
      vectorStore: { provider: 'memory', config: { collectionName: 'memories', dimension, dbPath: ':memory:' } },
      historyStore: { provider: 'sqlite', config: { historyDbPath: ':memory:' } },
      ...(instructions && { customInstructions: instructions }),
    })
    least = threshold
    // Opens the last of its databases, which would come with the first name otherwise.
    await memory.getEntityStore()
    // Awaits what the constructor began, and tells what went wrong in it.
    await operations.dump()
  },
  async store({ messages, sources, infer }) {
    ids.series++
    ids.number = 0
    endTransactions('COMMIT')
    for (const database of databases) database.exec('BEGIN')
    await memory.add(messages, { userId: user, metadata: { sources }, infer })
  },
  /** Takes the last store back. The package itself passes over much that fails, so that only the parent knows when to. */
  async undo() {
    ids.series--
    endTransactions('ROLLBACK')
  },
  async retrieve({ text, k }) {
    const filters = { user_id: user }
    const { results } = await memory.search(text, { filters, topK: Math.min(k, ALL), threshold: least })
    return results.map(entryOf)
  },
  async dump() {
    const { results } = await memory.getAll({ filters: { user_id: user }, topK: ALL })
    return results.map(entryOf)
  },
}

function entryOf({ id, memory: text, score, createdAt, metadata }) {
  return { id, text, score, time: createdAt, sources: metadata?.sources ?? [] }
}

let last = Promise.resolve()
process.on('message', ({ id, operation, time, ...given }) => {
  last = last.then(async () => {
    now = Date.parse(time) || 0
    try {
      process.send({ id, value: await operations[operation](given) })
    } catch (error) {
      process.send({ id, error: String(error?.message ?? error), code: error?.code })
    }
  })
})
process.on('disconnect', () => process.exit())
// Ctrl-C is for the parent, which ends this process when it has to.
process.on('SIGINT', () => {})

import { Worker } from 'node:worker_threads'

interface Job {
  text: string
  resolve(vector: Float32Array): void
  reject(error: Error): void
}

type Reply = { result: Float32Array } | { error: string }

const CLOSED = 'The embedder is closed'

/** Pools with workers. */
const pools = new Set<WorkerPool>()

/**
 * Runs texts through workers, one a worker at a time. They keep the process alive only while they work, and are replaced when they die. They
 * start one after another, since a model takes most memory while it is loaded, and a further one only where enough waits to be worth it.
 * Before one starts, other pools let go of those that have nothing to do: of all but one before the first, so that going to and fro between
 * models costs nothing, of all before a further one, since then there is much to do.
 */
export class WorkerPool {
  #idle: Worker[] = []
  #busy = new Map<Worker, Job>()
  #queue: Job[] = []
  /** Whether there is a worker that has not answered yet, or is about to be. */
  #starting: Worker | boolean = false
  #closed = false

  constructor(
    readonly source: string,
    readonly data: unknown,
    readonly size: number,
    /** How many texts must wait for each worker that is there before one more is started. */
    readonly patience = 1,
  ) {}

  /** How many workers there are. */
  get workers(): number {
    return this.#idle.length + this.#busy.size
  }

  run(text: string): Promise<Float32Array> {
    if (this.#closed) return Promise.reject(new Error(CLOSED))
    return new Promise((resolve, reject) => {
      this.#queue.push({ text, resolve, reject })
      this.#dispatch()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    pools.delete(this)
    const workers = [...this.#idle, ...this.#busy.keys()]
    this.#idle = []
    for (const waiting of this.#queue.splice(0)) waiting.reject(new Error(CLOSED))
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop()
      if (!worker) {
        if (this.#wantsMore()) void this.#start()
        return
      }
      const job = this.#queue.shift()!
      this.#busy.set(worker, job)
      worker.ref()
      worker.postMessage({ text: job.text })
    }
  }

  #wantsMore(): boolean {
    const there = this.#busy.size
    return there < this.size && !this.#starting && this.#queue.length >= there * this.patience
  }

  /** Others end before a worker starts, for memory is what both would need. */
  async #start(): Promise<void> {
    pools.add(this)
    this.#starting = true
    const kept = this.workers === 0 ? 1 : 0
    await Promise.all([...pools].filter((pool) => pool !== this).map((pool) => pool.#letGo(kept)))
    if (this.#closed || this.#queue.length === 0) {
      this.#starting = false
      return
    }
    const worker = new Worker(this.source, { eval: true, workerData: this.data })
    this.#starting = worker
    worker.on('message', (reply: Reply) => {
      this.#started(worker)
      const job = this.#busy.get(worker)
      this.#busy.delete(worker)
      worker.unref()
      this.#idle.push(worker)
      if ('error' in reply) job?.reject(new Error(`Embedding failed: ${reply.error}`))
      else job?.resolve(reply.result)
      this.#dispatch()
    })
    worker.on('error', (error) => this.#lost(worker, error))
    worker.on('exit', (code) => this.#lost(worker, new Error(`An embedding worker ended with code ${code}`)))
    this.#idle.push(worker)
    this.#dispatch()
  }

  async #letGo(kept: number): Promise<void> {
    const gone: Worker[] = []
    while (this.#idle.length > 0 && this.workers > kept) gone.push(this.#idle.pop()!)
    await Promise.all(gone.map((worker) => worker.terminate()))
  }

  #started(worker: Worker): void {
    if (this.#starting === worker) this.#starting = false
  }

  /** A worker is gone: its job fails, the others go on with a new one. */
  #lost(worker: Worker, error: Error): void {
    this.#started(worker)
    const job = this.#busy.get(worker)
    this.#busy.delete(worker)
    this.#idle = this.#idle.filter((other) => other !== worker)
    job?.reject(error)
    if (!this.#closed) this.#dispatch()
  }
}

import { parentPort, workerData } from 'node:worker_threads'
import { actingModel } from './llm-model.js'
import { startScriptedServer } from './scripted-server.js'

/** The model that plays every part of a run, on a thread of its own: a provider's work is none of the harness's. */
const { latencyMs } = workerData as { latencyMs: number }
const { url } = await startScriptedServer(actingModel({ latencyMs }, { input: 1000, output: 100 }))
parentPort?.postMessage(url)

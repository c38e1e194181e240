import { parentPort, workerData } from 'node:worker_threads'
import { ScriptedModel, startScriptedServer } from './scripted/index.js'

/** A scripted model on a thread of its own, so that the bench measures the gateway and not the server beside it. */
const { latencyMs } = workerData as { latencyMs: number }
const model = new ScriptedModel({
  rules: [{ when: { schema: 'yes' }, reply: { json: { yes: true } } }],
  otherwise: 'It is what the memories say.',
  latencyMs,
})
const { url } = await startScriptedServer(model)
parentPort?.postMessage(url)

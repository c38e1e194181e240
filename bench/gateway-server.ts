import { ScriptedModel } from '../src/gateway/scripted/index.js'
import { startScriptedServer } from './scripted-server.js'

/** A scripted model in a process of its own, so that the bench measures the gateway and not the server beside it. */
const model = new ScriptedModel({
  rules: [{ when: { schema: 'yes' }, reply: { json: { yes: true }, usage: { input: 500, output: 5 } } }],
  otherwise: { text: 'It is what the memories say.', usage: { input: 500, output: 7 } },
  latencyMs: Number(process.argv[2]),
})
const { url } = await startScriptedServer(model)
process.send?.(url)
process.once('disconnect', () => process.exit())

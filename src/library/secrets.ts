import { secretsOf } from '../gateway/providers/catalog.js'
import { Redactor } from '../gateway/redact.js'

let redactor: Redactor | null = null

/** A message without the keys of this environment and without anything that looks like one. */
export function withoutSecrets(message: string): string {
  return redactorOf(process.env).message(message)
}

/** The same for what a command was asked to print, which is never cut. */
export function outputWithoutSecrets(output: string): string {
  return redactorOf(process.env).output(output)
}

/** An address with a password in it. */
const PASSWORD = /:\/\/[^/\s:@"]+:[^@\s/"]+@/

/** Whether a text holds a key of this environment, or a password in an address. */
export function holdsSecret(text: string): boolean {
  return redactorOf(process.env).text(text) !== text || PASSWORD.test(text)
}

function redactorOf(env: NodeJS.ProcessEnv): Redactor {
  redactor ??= new Redactor(secretsOf(env, {}))
  return redactor
}

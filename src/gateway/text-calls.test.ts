import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsInText, toolNamed } from './text-calls.js'

const OFFERED = ['insert', 'read_file', 'done']
const figs = { content: 'User likes figs' }
const json = JSON.stringify(figs)
const call = (name = 'insert', key = 'parameters', input: unknown = figs) => JSON.stringify({ name, [key]: input })

/** Calls as `name arguments`, or why there are none. */
function read(text: string, shown: readonly string[] = []): string[] | string {
  const found = callsInText(text, OFFERED, shown)
  return found.kind === 'calls' ? found.calls.map((one) => `${one.name} ${one.arguments}`) : found.kind
}

describe('tool calls that a model wrote as text', () => {
  it.each([
    ['Llama', call()],
    ['OpenAI', call('insert', 'arguments')],
    ['arguments as a string', call('insert', 'arguments', json)],
    ['a prefix', call('functions.insert')],
    ['function.name', `{"type":"function","function":{"name":"insert","arguments":${json}}}`],
    ['function.name, arguments as a string', JSON.stringify({ function: { name: 'insert', arguments: json } })],
    ['type and name', `{"type": "function", "name": "insert", "parameters": ${json}}`],
    ['a fence', `Here it is:\n\`\`\`json\n${call()}\n\`\`\``],
    ['Hermes and Qwen', `<tool_call>\n${call('insert', 'arguments')}\n</tool_call>`],
    ['an end that is missing', `<tool_call>\n${call('insert', 'arguments')}`],
    ['Mistral', `[TOOL_CALLS] [${call('insert', 'arguments')}]`],
    ['Mistral, newer', `[TOOL_CALLS]insert[ARGS]${json}`],
    ['Llama, custom', `<function=insert>${json}</function>`],
    ['Llama, python tag', `<|python_tag|>${call()}<|eom_id|>`],
    ['words around', `I keep this [1]: ${call()} as asked.`],
  ])('are read: %s', (_, text) => {
    expect(read(text)).toEqual([`insert ${json}`])
  })

  it.each([
    ['a list', `[${call()},${call('done', 'parameters', {})}]`],
    ['one after the other', `${call()}; ${call('done', 'arguments', {})}`],
    ['tags', `<tool_call>${call()}</tool_call>\n<tool_call>${call('done', 'arguments', {})}</tool_call>`],
    ['functions', `<function=insert>${json}</function><function=done>{}</function>`],
    ['fences', `\`\`\`json\n${call()}\n\`\`\`\nthen\n\`\`\`\n${call('done', 'args', {})}\n\`\`\``],
    ['tool_calls', `{"tool_calls": [${call()}, {"function": {"name": "done", "arguments": "{}"}}]}`],
    ['Mistral', `[TOOL_CALLS] [${call()}, ${call('done', 'arguments', {})}]`],
  ])('are read, several at once: %s', (_, text) => {
    expect(read(text)).toEqual([`insert ${json}`, 'done {}'])
  })

  it.each([
    ['an unknown tool', call('burn')],
    ['an unknown tool in a tag', `<function=burn>${json}</function>`],
    ['arguments that are none', call('insert', 'parameters', ['User likes figs'])],
    ['no arguments', '{"name": "insert"}'],
    ['broken JSON', '{"name": "insert", "parameters": {"content": User likes figs}}'],
    ['a reply that was cut off', call().slice(0, -6)],
    ['a call beside something else in one list', `[${call()}, {"fact": "User likes figs"}]`],
    ['a mark without a call', '<tool_call>insert User likes figs</tool_call>'],
    ['parameters as tags', '<function=insert><parameter=content>User likes figs</parameter></function>'],
    ['code', 'insert(content="User likes figs")'],
    ['code after a tag', '<|python_tag|>insert.call(content="User likes figs")'],
  ])('are unclear, never nothing: %s', (_, text) => {
    expect(read(text)).toBe('unclear')
  })

  it('are unclear when they stand word for word in what was shown', () => {
    expect(read(`The user said ${call()}.`, [`user: ${call()}`])).toBe('unclear')
  })

  it.each([
    ['words', 'Nothing to insert here, I am done.'],
    ['dated lines', '[2024/05/06] User likes figs\n[2024/05/07] User reads {old} books'],
    ['JSON of another kind', '{"name": "Tamsin", "age": 40}'],
    ['nothing', ''],
  ])('are not found in %s', (_, text) => {
    expect(read(text)).toBe('none')
  })

  it('keep their arguments to the letter, whatever these hold', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom('', '<tool_call>', '[TOOL_CALLS] '),
        (input, mark) => {
          const given = JSON.parse(JSON.stringify(input))
          const found = callsInText(`${mark}${call('insert', 'arguments', given)}`, OFFERED, [])
          expect(found.kind === 'calls' && JSON.parse(found.calls[0]!.arguments)).toEqual(given)
        },
      ),
    )
    const fenced = { content: 'Code:\n```js\nf([TOOL_CALLS])\n``` </tool_call>' }
    expect(read(call('insert', 'arguments', fenced))).toEqual([`insert ${JSON.stringify(fenced)}`])
  })
})

describe('toolNamed', () => {
  it('knows a tool by its name, also behind a prefix', () => {
    expect(
      ['insert', 'functions.insert', 'default_api:insert', 'insert2', 'inser'].map((name) => toolNamed(name, OFFERED)),
    ).toEqual(['insert', 'insert', 'insert', null, null])
  })
})

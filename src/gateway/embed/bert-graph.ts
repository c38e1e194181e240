/** A tensor of 16-bit floats. */
export interface HalfTensor {
  name: string
  shape: readonly number[]
  bytes: Uint8Array
}

/** Changes with the graph: what another one computed is not taken for its. */
export const GRAPH = 'g1'

/** Bytes of a file, one piece behind the other. */
type Pieces = readonly Uint8Array[]

const FLOAT = 1
const INT32 = 6
const INT64 = 7
const FLOAT16 = 10
/** Kinds of attributes. */
const AS = { f: 1, i: 2, ints: 7 } as const
const MICROSOFT = 'com.microsoft'
/** What every layer has, without the start of its name. */
const PROJECTIONS = ['query', 'key', 'value'] as const

/**
 * BERT as a file of ONNX: token ids in, the mean of the last layer out. Weights stay 16-bit floats, as WebAssembly reads them; onnxruntime
 * widens and turns them when it loads. All texts of a pass have the same length, so that nothing is padded.
 *
 * @param tensors by the names that BERT's have; layers are counted by them
 * @returns the file in pieces: the weights are large, and are not copied
 */
export function bertGraph(tensors: readonly HalfTensor[], heads: number, epsilon: number): Pieces {
  const nodes: Uint8Array[] = []
  const node = (op: string, inputs: string[], output: string, attributes: Pieces = [], domain = '') => {
    const named = [...inputs.flatMap((name) => text(1, name)), ...text(2, output), ...text(4, op), ...attributes]
    nodes.push(...part(1, [...named, ...text(7, domain)]))
    return output
  }
  const wide = (name: string) => node('Cast', [name], `${name}:wide`, attribute('to', { i: FLOAT }))
  const turned = (name: string) => node('Transpose', [wide(name)], `${name}:turned`)
  const normal = (input: string, skip: string, name: string, bias: string) =>
    node(
      'SkipLayerNormalization',
      [input, skip, wide(`${name}.weight`), wide(`${name}.bias`), wide(bias)],
      `${name}:out`,
      attribute('epsilon', { f: epsilon }),
      MICROSOFT,
    )

  // Every token is of the first of two types.
  const type = node('Gather', [wide('embeddings.token_type_embeddings.weight'), 'first'], 'type')
  const position = node('Add', [wide('embeddings.position_embeddings.weight'), type], 'position')
  const words = wide('embeddings.word_embeddings.weight')
  const [scale, shift] = [wide('embeddings.LayerNorm.weight'), wide('embeddings.LayerNorm.bias')]
  let state = node(
    'EmbedLayerNormalization',
    ['ids', '', words, position, '', scale, shift],
    'embedded',
    [...text(2, 'mask'), ...attribute('epsilon', { f: epsilon })],
    MICROSOFT,
  )
  const layers = tensors.filter(({ name }) => /^encoder\.layer\.\d+\.output\.dense\.weight$/.test(name)).length
  for (let i = 0; i < layers; i++) {
    const of = (name: string) => `encoder.layer.${i}.${name}`
    const own = PROJECTIONS.map((name) => of(`attention.self.${name}`))
    const across = own.map((name) => turned(`${name}.weight`))
    const weights = node('Concat', across, of('weights'), attribute('axis', { i: 1 }))
    const biases = own.map((name) => wide(`${name}.bias`))
    const bias = node('Concat', biases, of('bias'), attribute('axis', { i: 0 }))
    const by = attribute('num_heads', { i: heads })
    const attended = node('Attention', [state, weights, bias], of('attended'), by, MICROSOFT)
    const mixed = node('MatMul', [attended, turned(of('attention.output.dense.weight'))], of('mixed'))
    const middle = normal(mixed, state, of('attention.output.LayerNorm'), of('attention.output.dense.bias'))
    const inner = node('MatMul', [middle, turned(of('intermediate.dense.weight'))], of('inner'))
    const active = node('BiasGelu', [inner, wide(of('intermediate.dense.bias'))], of('active'), [], MICROSOFT)
    const outer = node('MatMul', [active, turned(of('output.dense.weight'))], of('outer'))
    state = normal(outer, middle, of('output.LayerNorm'), of('output.dense.bias'))
  }
  node('ReduceMean', [state], 'mean', [...attribute('axes', { ints: [1] }), ...attribute('keepdims', { i: 0 })])

  const graph = [
    ...nodes,
    ...text(2, 'bert'),
    ...tensors.flatMap(({ name, shape, bytes }) => part(5, tensor(name, shape, FLOAT16, bytes))),
    ...part(5, tensor('first', [], INT64, Buffer.alloc(8))),
    ...part(11, valueInfo('ids', INT32, ['texts', 'tokens'])),
    ...part(12, valueInfo('mean', FLOAT, ['texts', 'width'])),
  ]
  const opsets = [
    [...number(2, 17), ...text(1, '')],
    [...number(2, 1), ...text(1, MICROSOFT)],
  ]
  return [...number(1, 8), ...part(7, graph), ...opsets.flatMap((opset) => part(8, opset))]
}

function attribute(name: string, value: { f: number } | { i: number } | { ints: readonly number[] }): Pieces {
  const of = (kind: number, fields: Pieces) => part(5, [...text(1, name), ...fields, ...number(20, kind)])
  if ('i' in value) return of(AS.i, number(3, value.i))
  if ('ints' in value)
    return of(
      AS.ints,
      value.ints.flatMap((one) => number(8, one)),
    )
  const float = Buffer.alloc(4)
  float.writeFloatLE(value.f)
  return of(AS.f, [varint((2 << 3) | 5), float])
}

function tensor(name: string, shape: readonly number[], type: number, bytes: Uint8Array): Pieces {
  return [...shape.flatMap((side) => number(1, side)), ...number(2, type), ...text(8, name), ...part(9, [bytes])]
}

function valueInfo(name: string, type: number, sides: readonly string[]): Pieces {
  const shape = part(
    2,
    sides.flatMap((side) => part(1, text(2, side))),
  )
  return [...text(1, name), ...part(2, part(1, [...number(1, type), ...shape]))]
}

// Fields of a protocol buffer.

function part(field: number, content: Pieces): Uint8Array[] {
  const length = content.reduce((sum, { byteLength }) => sum + byteLength, 0)
  return [varint((field << 3) | 2), varint(length), ...content]
}

function text(field: number, value: string): Uint8Array[] {
  return part(field, [Buffer.from(value)])
}

function number(field: number, value: number): Uint8Array[] {
  return [varint(field << 3), varint(value)]
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

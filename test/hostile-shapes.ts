/** Texts that patterns stumble over, each of about so many characters. */
export const HOSTILE_SHAPES: readonly [string, (characters: number) => string][] = [
  ['negations', (n) => repeated('not ', n)],
  ['one letter', (n) => repeated('A', n)],
  ['spaces', (n) => `x${repeated(' ', n)}x`],
  ['brackets', (n) => repeated('{"a": 1} [{"(<', n)],
  ['marks', (n) => repeated('<think>[TOOL_CALLS]<function=a>**_```json\n', n)],
  ['numbers', (n) => repeated('1,234.56 - 7/', n)],
  ['capitals', (n) => repeated('Mr. A. B. Answer: (C) ', n)],
  [
    'one sentence',
    (n) => repeated('Rosa never sings in the choir unless her brother, who likes tea, asks her and ', n),
  ],
  ['bullets', (n) => `- a\n${repeated('  - **b:**\n', n)}`],
  [
    'signs',
    (n) => `# ${repeated('#', n / 4)}${repeated('.', n / 4)} [a] b ${repeated('-', n / 4)}${repeated('-[', n / 4)}x`,
  ],
]

function repeated(part: string, characters: number): string {
  return part.repeat(Math.ceil(characters / part.length))
}

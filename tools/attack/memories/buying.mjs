/** A notebook that keeps every turn and finds by shared words, with one thing added by which a score might be bought. */
const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))

export default {
  options: {
    word: { default: '', about: 'stands at the end of every memory' },
    how: { default: '', about: 'what else' },
  },
  create(_, { word, how }) {
    const notes = []
    const all = () => notes.map(({ text }) => text).join(' / ')
    return {
      async store({ id, time, turns }) {
        for (const [i, { text }] of turns.entries())
          notes.push({ id: `${id}#${i}`, text: `${text} ${word}`.trim(), time })
      },
      async retrieve({ text }, k) {
        const asked = wordsOf(text)
        const score = (note) => [...wordsOf(note.text)].filter((one) => asked.has(one)).length
        const found = notes.map((note) => ({ ...note, score: score(note) })).sort((a, b) => b.score - a.score)
        if (how === 'time') return [{ id: 'x', text: 'x', time: all() }]
        if (how === 'throws' && found[0].score < 1.5 * found[1].score) throw new Error('unsure')
        return found.slice(0, k)
      },
      async dump() {
        return notes
      },
    }
  },
}

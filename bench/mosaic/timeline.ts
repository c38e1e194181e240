import { inPercent } from '../../src/base/figures.js'
import { noteOf } from '../../src/systems/mosaic/note.js'
import { Timeline } from '../../src/systems/mosaic/timeline.js'
import type { Bench } from '../bench.js'
import { cuesByLabels, type Due, dueMarks, readLives, type ToldLife } from './told-lives.js'

const KINDS = { over: 'over', 'by-rule': 'hangs', 'in-doubt': 'hangs', applies: 'applies' } as const

/** How much of what a change does to what was told before the timeline knows, in text that it was not made for. */
export const timelineBench: Bench = {
  name: 'mosaic-timeline',
  about: 'what mosaic knows to be over, in doubt or settled by a rule in lives told by other writers',
  run: async () => ({
    title: 'What became of what was told',
    note: `Lives of about thirty turns, told and labelled by other writers in free words. Due: statements that are over, that rest on something which has
changed, or rules that apply; false: marks on anything else. By labels, notes come as a model would take them that reads everything rightly.`,
    columns: ['lives', 'notes', 'due', 'marked', 'of these the right way', 'false'],
    rows: (['open', 'locked'] as const).flatMap((name) => {
      const lives = readLives(name)
      return [
        [`${name} (${lives.length})`, 'by words', ...counted(lives, () => undefined)],
        [`${name} (${lives.length})`, 'by labels', ...counted(lives, cuesByLabels)],
      ]
    }),
  }),
}

function counted(
  lives: readonly ToldLife[],
  cues: (life: ToldLife, turn: number) => ReturnType<typeof cuesByLabels> | undefined,
): string[] {
  let [due, marked, right, wrong] = [0, 0, 0, 0]
  for (const life of lives) {
    const timeline = new Timeline()
    for (const { id, text } of life.turns) timeline.add(noteOf({ id: String(id), text }, cues(life, id)))
    const expected = dueMarks(life)
    for (const at of life.turns.keys()) {
      const [mark, wanted] = [timeline.markOf(at), expected.get(at)]
      const found: Due | undefined = mark && KINDS[mark.kind]
      if (wanted) due++
      if (wanted && found) marked++
      if (wanted && found === wanted) right++
      if (!wanted && found) wrong++
    }
  }
  return [String(due), `${marked} (${inPercent(marked / due)})`, String(right), String(wrong)]
}

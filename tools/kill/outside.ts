import { HTTP_NOTES, NoteServer } from '../../test/outside.js'
import { anywhere, atTheEnd, atWork, type Kind, type Moment } from './kind.js'

/** Most requests of one sort before a kill; an undisturbed run makes more of each. */
const MOST_BEFORE = 16

/**
 * Runs of a memory file that speaks to a server, which makes the ids and stands over all kills. A conversation whose request has come is
 * stored although nobody is there any more to hear of it.
 */
export async function outsideKind(): Promise<Kind> {
  const server = await NoteServer.open(2)
  const during =
    (what: string): Moment =>
    ({ kill }, draw) => {
      let countdown = 1 + Math.floor(draw() * MOST_BEFORE)
      server.onRequest = (asked) => {
        if (asked === what && --countdown === 0) kill()
      }
      return () => {
        server.onRequest = () => {}
      }
    }
  return {
    flags: ['--suite', 'memfail/long-hop,meme', '--system', HTTP_NOTES, '--size', '2', '--limit', '1', '--k', '1,3'],
    always: [],
    env: server.env,
    moments: [during('store'), during('retrieve'), atWork, anywhere, atTheEnd],
    phases: ['start', 'ingest', 'ask', 'judge', 'report'],
    told: () => `${server.namespaces.size} lives begun in the server, by ${server.pids.size} processes`,
    close: async () => server.close(),
  }
}

/** Turns hostile as it is imported; how, ATTACK_IMPORT says. */
const how = process.env.ATTACK_IMPORT
if (how === 'hang') await new Promise(() => {})
if (how === 'spin') for (;;);
if (how === 'exit') process.exit(7)
if (how === 'throw') throw new Error('thrown on purpose \x1b[2J')
if (how === 'later') {
  Promise.reject(new Error('nobody awaited this'))
  await new Promise((done) => setTimeout(done, 500))
}

export default how === 'nothing' ? undefined : { create: how === 'text' ? 'no function' : () => ({}) }

import { describe, expect, it } from 'vitest'
import { fold, sentences } from '../../base/text.js'
import { readForgetWishes } from './forget-wish.js'

const wishIn = (turn: string) => readForgetWishes(sentences(turn).map(fold))[0]

describe('a wish to have something forgotten', () => {
  it.each([
    ['Forget my kayak.', 'kayak'],
    ['Could you wipe all you hold on our boat club?', 'boat club'],
    ["I'd sooner you didn't hang on to my shoe size.", 'shoe size'],
    ["I don't want our door code stored anywhere.", 'door code'],
    ['Our landlord has to go from your notes.', 'landlord'],
    ['Get the name of my tailor out of your head.', 'tailor'],
    ['Would you take our mascot off your list?', 'mascot'],
    ['We want our sponsor gone from your files.', 'sponsor'],
    ['My heart pills should not be in your memory.', 'heart pills'],
    ['Stop remembering how I get around.', 'how i get around'],
    ['Erase where our spare keys hang.', 'where our spare keys hang'],
    ['Please strike the maker of my oboe.', 'maker of my oboe'],
    ['Pretend I never mentioned my debts.', 'debts'],
    ['My barber is a private matter. Delete it.', 'barber'],
    ['The safe numbers, delete them.', 'safe numbers'],
    ['Please delete the fact that our boat sails every fifth week.', 'our boat sails every fifth week'],
    ['I regret having told you about my fiancée. Let that go, please.', 'fiancée'],
    ['There is no need to remember my blood group.', 'blood group'],
    ['pls forget my nickname lol', 'nickname'],
    ["Consider our prices retracted, and don't keep them.", 'prices'],
    ['Which rota we row by should no longer be in your memory.', 'which rota we row by'],
    ['Could you drop what the boathouse costs us?', 'what the boathouse costs us'],
    ['I would prefer that you did not know where I moor.', 'where i moor'],
    ['Take out the bit about Mr. Quill and the oars.', 'mr quill'],
    ["I wish you'd erase the name of the man who mends our oars.", 'oars'],
    ['My ex-coach. I do not want him remembered.', 'ex-coach'],
    ['The 12,500 we owe, strike that.', '12,500'],
    ['About what I told Ann: please delete that.', 'ann'],
    ['About my current read (The Oar): please wipe that from your notes.', 'current read the oar'],
  ])('%s', (turn, object) => {
    expect(wishIn(turn)?.object).toBe(object)
  })

  it.each([
    "Don't you remember my uncle?",
    'Please delete the part that has a typo in my draft.',
    'Remove the joke that ends my speech draft.',
    "Please don't keep my aunt waiting.",
    "Don't keep my tortoise outside.",
    'Never store my syrup in the cellar, right?',
    'How would you remove my splinter?',
    'My coach said: forget your helmet.',
    'I wrote to the club: please delete my boat data.',
    "Let's forget about my landlord and eat.",
    'Please remove my old flat from the letter.',
  ])('is nothing like this: %s', (turn) => {
    expect(wishIn(turn)).toBeUndefined()
  })

  it('may repeat what was said, which nothing may tell of it then', () => {
    expect(wishIn('Forget that I carve spoons.')).toMatchObject({ object: 'i carve spoons', isStatement: true })
    expect(wishIn('Forget my spoons.')).toMatchObject({ isStatement: false })
  })

  it('may be one of several in a turn', () => {
    const wishes = readForgetWishes(['forget my kayak.', 'it is late.', 'also delete our boat club.'])
    expect(wishes.map(({ at, object }) => [at, object])).toEqual([
      [0, 'kayak'],
      [2, 'boat club'],
    ])
  })

  it('may name something that has ended itself', () => {
    expect(wishIn('Forget where we keep our oars.')?.object).toBe('where we keep our oars')
    expect(wishIn('Please forget: my kayak.')?.object).toBe('kayak')
  })

  it('may leave something to stay', () => {
    const wishes = readForgetWishes(['forget my kayak, my boat club stays.', 'forget the kayak and also our club.'])
    expect(wishes.map(({ object }) => object)).toEqual(['kayak', 'kayak', 'club'])
  })

  it('may be for several things at once', () => {
    const wishes = readForgetWishes(['please forget my kayak, our boat club and my shoe size.'])
    expect(wishes.map(({ object }) => object)).toEqual(['kayak', 'boat club', 'shoe size'])
  })

  it.each([
    "Can't have anything with oars, last time my back gave in.",
    'Forgot my kayak at the lake, or maybe on the bus.',
    "Don't forget my kayak.",
    'Never delete my notes on the boat.',
    'No need to erase anything, I was only asking.',
    'I forgot my kayak at the lake.',
    'We scrapped our old boat.',
    'She would forget her own head.',
    'Delete the third line of the poem.',
    'Drop me a line.',
    'There I can relax, forget my troubles, and row.',
    'I read in the boat and forget which tongue I am in.',
    'You never know when my boat will leak.',
    'Paint a picture of my life from what I told you. Leave nothing out.',
    'It is lovely out there in my boat!',
    'My old boat has to be scrapped.',
    'I have to get my stitches removed on Monday.',
    'My landlord wants my bike removed from the hallway.',
    'I see no reason to keep my old piano.',
    'Would it be fine to drop my rowing course?',
    "I don't want my mother to know about our boat yet.",
    "Please drop our daughter's age into the invitation.",
    'Can you cut my paragraph down to a hundred words?',
    'Can you write to my gym and ask them to delete my data?',
    "Don't keep me waiting.",
    'Never have my steak well done.',
    'My ex should not have kept our dog.',
    'I asked my boss to delete my record in the system.',
    'I see my dentist never mentioned the fee.',
    'Keep my tailor on file.',
    'You can forget about parking there.',
    'I no longer row.',
    'Have you kept what I told you?',
    'My sister never remembers my birthday.',
    'I had our boat removed from the lake.',
    'Forget it, next question.',
    '',
  ])('is not in: %s', (turn) => {
    expect(wishIn(turn)).toBeUndefined()
  })

  it('is read in time that grows as its length', () => {
    for (const word of ['my ', 'forget ', 'not ', 'it, ', "don't keep ", 'your notes '])
      expect(wishIn(word.repeat(20_000))).toSatisfy((wish) => wish === undefined || wish.object.length < 2000)
  })
})

/** Whether every database gives a text back as it was: one takes no NUL, and half a sign becomes another. */
export function isKeepable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text)
}

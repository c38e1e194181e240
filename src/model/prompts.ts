/** Prompts that a user put in place of those of a reader or judge: the text of the file itself, so that a run needs no file to go on. */
export interface OwnPrompts {
  /** Name of the set, or of the file without its folder. */
  name: string
  /** Sections that begin with a line `@@ name`. */
  text: string
}

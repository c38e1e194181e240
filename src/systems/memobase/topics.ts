/** Slots that are suggested to the model: topics with their subtopics, in MemoBase's names. */
export const TOPICS: Readonly<Record<string, readonly string[]>> = {
  basic_info: ['name', 'age', 'gender', 'birth_date', 'nationality', 'language_spoken'],
  contact_info: ['email', 'phone', 'city', 'country'],
  education: ['school', 'degree', 'major'],
  demographics: ['marital_status', 'number_of_children', 'household_income'],
  work: ['company', 'title', 'location', 'working_industry', 'previous_projects', 'work_skills'],
  interest: ['books', 'movies', 'music', 'foods', 'drinks', 'sports'],
  psychological: ['personality', 'values', 'beliefs', 'motivations', 'goals'],
  life_event: ['marriage', 'relocation', 'retirement', 'illness', 'new_activity'],
}

/** The guide as it is shown, one topic a line. */
export const TOPIC_GUIDE = Object.entries(TOPICS)
  .map(([topic, subtopics]) => `- ${topic}: ${subtopics.join(', ')}`)
  .join('\n')

/** Whether a slot is one of the guide. */
export function isInGuide(topic: string, subtopic: string): boolean {
  return Object.hasOwn(TOPICS, topic) && TOPICS[topic]!.includes(subtopic)
}

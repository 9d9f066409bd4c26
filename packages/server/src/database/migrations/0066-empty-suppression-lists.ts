// A list of suppression rules is created without rules, which changes no answer. The first rule updates it, and that
// counts as a milestone (spec 18.5.4).

export const statements: ReadonlyArray<string> = [
  `drop trigger suppression_list_insert_milestone on suppression_list`,
]

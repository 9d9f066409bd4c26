// Creating a suppression list without rules changes no response. Adding the first rule updates the list, and that
// counts as a milestone (spec 18.5.4).

export const statements: ReadonlyArray<string> = [
  `drop trigger suppression_list_insert_milestone on suppression_list`,
]

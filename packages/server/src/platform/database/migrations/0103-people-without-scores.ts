// An audience of a segment alone has no topics, so its people have no scores (spec 2.8, 2.13).

export const statements: ReadonlyArray<string> = [
  `alter table run_result alter column score drop not null, alter column topic_overlap drop not null`,
]

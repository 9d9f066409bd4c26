// Names the time of a webhook's last segment that failed for what it is.

export const statements: ReadonlyArray<string> = [
  `alter table webhook rename column asked_in_vain_at to segment_failed_at`,
]

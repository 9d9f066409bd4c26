// An organization's stored events as lines that are the same from both stores.

/** A query of Postgres. */
export const linesInPostgres = (organizationId: string): string => `
  select concat_ws('|', received_on, pixel_id, id, coalesce(session_id::text, 'none'),
    coalesce(anonymous_id::text, 'none'), type, (extract(epoch from received_at) * 1000000)::bigint,
    (extract(epoch from occurred_at) * 1000000)::bigint, coalesce(url, 'none'), payload::text
  ) as line
  from event where organization_id = '${organizationId}' order by line`

/** A query of ClickHouse, which returns a line as often as a reader would see the event. */
export const linesInClickHouse = (organizationId: string): string => `
  select arrayStringConcat([toString(received_on), toString(pixel_id), toString(id),
    if(session_id = toUUID('00000000-0000-0000-0000-000000000000'), 'none', toString(session_id)),
    ifNull(toString(anonymous_id), 'none'), type,
    toString(toUnixTimestamp64Micro(received_at)), toString(toUnixTimestamp64Micro(occurred_at)),
    ifNull(url, 'none'), payload], '|') as line
  from footfall_event final where organization_id = '${organizationId}' order by line`

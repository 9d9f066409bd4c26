// When a webhook's digest is due, for statements that collect people or companies for it (spec 14.4).

/** Delay after the hour or day of a digest ends. Units: seconds. */
export const digestDelaySeconds = 30

/**
 * SQL: when the current hour or day of webhook row `w` ends; null without a digest. Uses the statement's time, because
 * a transaction may have started before the previous hour's digest was sent.
 */
export const digestEnd = `case w.digest
  when 'hourly' then date_trunc('hour', statement_timestamp()) + interval '1 hour'
  when 'daily' then (
    date_trunc('day', statement_timestamp() at time zone 'utc') + make_interval(hours => w.digest_hour)
    + case when extract(hour from statement_timestamp() at time zone 'utc') < w.digest_hour
        then interval '0' else interval '1 day' end
  ) at time zone 'utc'
end`

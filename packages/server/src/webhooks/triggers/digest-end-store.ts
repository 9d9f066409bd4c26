// When the digest of a webhook ends, for the statements that gather people or companies for it (spec 14.4).

/** After the end of the hour or day of a digest. Our bound. Units: seconds. */
export const digestDelaySeconds = 30

/**
 * SQL: the end of the present hour or day of the row `w` of `webhook`; null without a digest. It goes by the time of the
 * statement: a transaction that began in the hour before may come after the digest of that hour was sent.
 */
export const digestEnd = `case w.digest
  when 'hourly' then date_trunc('hour', statement_timestamp()) + interval '1 hour'
  when 'daily' then (
    date_trunc('day', statement_timestamp() at time zone 'utc') + make_interval(hours => w.digest_hour)
    + case when extract(hour from statement_timestamp() at time zone 'utc') < w.digest_hour
        then interval '0' else interval '1 day' end
  ) at time zone 'utc'
end`

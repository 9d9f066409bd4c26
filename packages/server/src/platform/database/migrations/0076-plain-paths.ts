// Rules compare paths in plain letters (spec 6.4.2). Addresses are stored with escapes, and the lines of paths that 0.2
// wrote are too, so Postgres has to decode them when it reads them.

export const statements: ReadonlyArray<string> = [
  // Equals `decodedPath` of the pixel and case folding. Bytes that are not UTF-8 are Latin-1. Valid UTF-8 is recognized by
  // its form, because an exception would need a subtransaction, which a parallel worker can't have.
  `create function plain_path(value text) returns text
    language plpgsql immutable strict parallel safe cost 50
    as $$ declare
      plain text := '';
      part text;
      bytes text;
    begin
      if strpos(value, '%') = 0 then
        return fold_case(normalize(value, NFC));
      end if;
      for part in
        select pieces.piece[1] from regexp_matches(
          value, '((?:%(?![01]|7[fF]|2[5aAfF])[0-9a-fA-F]{2})+|[^%]+|%)', 'g') as pieces (piece)
      loop
        if length(part) > 2 and left(part, 1) = '%' then
          bytes := lower(replace(part, '%', ''));
          plain := plain || convert_from(decode(bytes, 'hex'), case
            when bytes ~ '^(?:[0-7].|(?:c[2-9a-f]|d.)[89ab].|e0[ab].[89ab].|(?:e[1-9abcef]|ed(?=[89]))[89ab].[89ab].|f0[9ab].(?:[89ab].){2}|f[1-3](?:[89ab].){3}|f48.(?:[89ab].){2})+$'
            then 'UTF8' else 'LATIN1' end);
        else
          plain := plain || part;
        end if;
      end loop;
      return fold_case(normalize(plain, NFC));
    end $$`,
]

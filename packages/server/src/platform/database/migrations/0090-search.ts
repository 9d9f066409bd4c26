// Finds people by any part of their name or of an address, without case and accents (spec 5.1), by an index over
// trigrams. Each trigram carries the organization, so a search never reads the entries of another one. Not pg_trgm:
// some installations lack it, and it finds no texts of one or two characters.
import { foldedLetters } from "../case-folding.ts"

/** Combining marks of letters, Hebrew points and Arabic vowel signs. Japanese and Indic marks are letters of their own. */
const marks = ["0300-036f", "0483-0487", "0591-05bd", "05bf", "05c1-05c2", "05c4-05c5", "05c7"]
  .concat(["0610-061a", "064b-065f", "0670", "06d6-06dc", "06df-06e4", "06e7-06e8", "06ea-06ed"])
  .concat(["1ab0-1aff", "1dc0-1dff", "20d0-20ff", "fe20-fe2f"])

/** Characters without a shape: soft hyphens, joiners, directions, variation selectors. */
const hidden = ["00ad", "034f", "061c", "180e", "200b-200f", "202a-202e", "2060-2069"].concat([
  "fe00-fe0f",
  "feff",
])

const spaces = ["0009-000d", "0020", "0085", "1680", "2028-2029"]

/** Letters that Unicode does not decompose, by what people type for them. */
const plain = { ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", ı: "i", ɨ: "i", ƶ: "z" }
const spelledOut = { ß: "ss", æ: "ae", œ: "oe", þ: "th", ĳ: "ij" }

const bracket = (codes: ReadonlyArray<string>): string =>
  `[${codes
    .flatMap((range) =>
      range
        .split("-")
        .map((code) => `\\u${code}`)
        .join("-"),
    )
    .join("")}]`

export const statements = (): ReadonlyArray<string> => {
  const { from, to } = foldedLetters()
  const letters = `translate(lower(folded collate "C"), '${from}', '${to}')`
  const replaced = Object.entries(spelledOut).reduce(
    (value, [letter, spelled]) => `replace(${value}, '${letter}', '${spelled}')`,
    `translate(${letters}, '${Object.keys(plain).join("")}', '${Object.values(plain).join("")}')`,
  )
  return [
    // Calls no function of ours, because Postgres builds an index with a search path of its own.
    `create function search_text(value text) returns text
     language plpgsql immutable strict parallel safe cost 20
     as $$
     declare
       folded text := value;
     begin
       if octet_length(value) = char_length(value) then
         folded := lower(value collate "C");
       else
         folded := normalize(value, NFKD);
         folded := regexp_replace(folded collate "C", '${bracket([...marks, ...hidden])}', '', 'g');
         folded := normalize(${replaced}, NFC);
       end if;
       return trim(regexp_replace(folded collate "C", '${bracket(spaces)}+', ' ', 'g'));
     end $$`,
    `create function search_trigrams(organization uuid, value text) returns tsvector
     language plpgsql immutable strict parallel safe cost 1000
     as $$
     declare
       place text := right(organization::text, 8);
       next text := '\\1' || E'\\n' || place;
     begin
       return array_to_tsvector(array_remove(
         string_to_array(
           place || regexp_replace(value, '(...)', next, 'g')
             || E'\\n' || place || regexp_replace(substr(value, 2), '(...)', next, 'g')
             || E'\\n' || place || regexp_replace(substr(value, 3), '(...)', next, 'g'),
           E'\\n'
         ),
         place
       ));
     end $$`,
    // Null for an empty text, which finds no one.
    `create function search_query(organization uuid, value text) returns tsquery
     language sql immutable strict parallel safe
     as $$
       select string_agg(
         '''' || replace(replace(
           right(organization::text, 8) || trigram, '\\', '\\\\'), '''', '''''') || '''' || suffix,
         ' & '
       )::tsquery
       from (
         select value as trigram, ':*' as suffix where char_length(value) between 1 and 2
         union all
         select substr(value, place, 3), ''
         from generate_series(1, char_length(value) - 2) as place
       ) as part
     $$`,

    // Who has a name, and the name as it is searched. IsolatedOrganizations from `visitor`, whose rows change with every visit.
    `create table visitor_name (
      organization_id uuid not null,
      visitor_id uuid not null,
      name text collate "C" not null,
      primary key (organization_id, visitor_id)
    )`,
    `create function note_visitor_name() returns trigger language plpgsql as $$
     declare
       full_name text := search_text(concat_ws(' ', new.first_name, new.last_name));
     begin
       if full_name = '' then
         delete from visitor_name
         where organization_id = new.organization_id and visitor_id = new.id;
       else
         insert into visitor_name (organization_id, visitor_id, name)
         values (new.organization_id, new.id, full_name)
         on conflict (organization_id, visitor_id) do update set name = excluded.name;
       end if;
       return null;
     end $$`,
    `create function forget_visitor_name() returns trigger language plpgsql as $$
     begin
       delete from visitor_name
       where organization_id = old.organization_id and visitor_id = old.id;
       return null;
     end $$`,
    `create trigger visitor_insert_named after insert on visitor
     for each row when (new.first_name is not null or new.last_name is not null)
     execute function note_visitor_name()`,
    `create trigger visitor_update_named after update of first_name, last_name on visitor
     for each row when (
       (old.first_name, old.last_name) is distinct from (new.first_name, new.last_name)
     )
     execute function note_visitor_name()`,
    `create trigger visitor_delete_named after delete on visitor
     for each row when (old.first_name is not null or old.last_name is not null)
     execute function forget_visitor_name()`,
    // After the triggers, whose creation waits for every write in progress.
    `insert into visitor_name (organization_id, visitor_id, name)
     select organization_id, id, name
     from visitor
     cross join lateral (select search_text(concat_ws(' ', first_name, last_name))) as n (name)
     where name <> ''`,

    "set local maintenance_work_mem = '256MB'",
    `create index visitor_name_search on visitor_name
     using gin (search_trigrams(organization_id, name))`,
    `create index visitor_address_search on visitor_address
     using gin (search_trigrams(organization_id, search_text(email))) where email is not null`,
    // Room for rewriting an address in its page, which then leaves the index alone.
    "alter table visitor_address set (fillfactor = 80)",
    "analyze visitor_name",
  ]
}

// Alerts about segments of companies (spec 8.7): what a digest says of each company, and no record outlives its company.

export const statements: ReadonlyArray<string> = [
  `alter table webhook_digest_company
    add column event text not null default 'company.identified'`,
  `create function forget_segments_of_company() returns trigger language plpgsql as $$
   begin
     delete from segment_member m using replaced r
     where m.organization_id = r.organization_id and m.subject = r.domain;
     return null;
   end $$`,
  `create trigger company_segment_delete after delete on company
   referencing old table as replaced for each statement execute function forget_segments_of_company()`,
]

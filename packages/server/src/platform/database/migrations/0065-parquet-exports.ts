// Export files are CSV or Parquet (spec 2.14). The default is for existing files, and for processes of the previous
// version.

export const statements: ReadonlyArray<string> = [
  `alter table run_export add column export_type text not null default 'csv'
     check (export_type in ('csv', 'parquet'))`,
]

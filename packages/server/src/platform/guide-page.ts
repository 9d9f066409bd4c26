// Where to read a page of the documentation: every server shows it at `/guide`. An installation has no `docs/` folder.

/** `page`: its path below `docs`, without `.md`. `baseUrl`: of the reader's server, if it is known. */
export const guidePage = (page: string, baseUrl?: string): string =>
  baseUrl === undefined
    ? `/guide/${page} on any running Footfall server`
    : `${baseUrl}/guide/${page}`

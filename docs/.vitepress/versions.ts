// The menu of versions: a site documents one, and every server serves its own at `/guide`. The others are where their
// release put them.

interface Release {
  readonly version: string
  /** As the changelog has it. */
  readonly date: string
}

/** Newest first. */
const releasesOf = (changelog: string): ReadonlyArray<Release> =>
  [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(([\d-]+)\)$/gm)].map(([, version, date]) => ({
    version: version!,
    date: date!,
  }))

interface Known {
  readonly changelog: string
  readonly version: string
  /** Tags of the repository, if it has some. */
  readonly tags: ReadonlyArray<string>
  /** Address of the repository's page. */
  readonly source: string | undefined
}

/**
 * The version of this site, its changelog, and the other releases: the documentation at the tag of a release, or what the
 * changelog says of it.
 */
export const versionMenu = ({ changelog, source, tags, version }: Known) => {
  const releases = releasesOf(changelog)
  const others = releases.filter((release) => release.version !== version)
  const itemOf = (release: Release) => {
    const tag = `@footfall/server@${release.version}`
    const isPublished = source !== undefined && tags.includes(tag)
    const section = `${release.version} (${release.date})`
      .replaceAll(/[^\da-z]+/g, "-")
      .replace(/-$/, "")
    return {
      text: `Version ${release.version}`,
      link: isPublished ? `${source}/tree/${tag}/docs` : `/changelog#_${section}`,
    }
  }
  return {
    text: `Version ${version}`,
    items: [{ text: "Changelog", link: "/changelog" }, ...others.map(itemOf)],
  }
}

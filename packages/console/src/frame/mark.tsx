// The product name, with the footprints that the API reference and the server's own pages show too.
export const Mark = () => (
  <span className="mark">
    <svg viewBox="0 0 24 24" width="22" fill="currentColor" aria-hidden="true">
      <ellipse cx="7.5" cy="15" rx="4" ry="7" />
      <ellipse cx="17" cy="8.5" rx="4" ry="7" />
    </svg>
    <span>Footfall</span>
  </span>
)

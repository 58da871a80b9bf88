export function WorkspacePage() { return null }

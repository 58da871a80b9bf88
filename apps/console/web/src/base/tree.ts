interface TreeNode {
  readonly id: string
  readonly parentId: string | null
}

/** A node with its depth below the top. */
export interface Placed<Node> {
  readonly node: Node
  readonly depth: number
}

/** Flattens a tree, each node after its parent; a node below an invisible parent begins a tree of its own. */
export function flattenTree<Node extends TreeNode>(nodes: readonly Node[]): Placed<Node>[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const below = Map.groupBy(nodes, ({ parentId }) => (parentId !== null && ids.has(parentId) ? parentId : null))
  const place = (parentId: string | null, depth: number): Placed<Node>[] =>
    (below.get(parentId) ?? []).flatMap((node) => [{ node, depth }, ...place(node.id, depth + 1)])
  return place(null, 0)
}

/** Returns the ids of a node and of everything below it. */
export function branchOf(nodes: readonly TreeNode[], id: string): ReadonlySet<string> {
  const branch = new Set([id])
  for (const { node } of flattenTree(nodes))
    if (node.parentId !== null && branch.has(node.parentId)) branch.add(node.id)
  return branch
}

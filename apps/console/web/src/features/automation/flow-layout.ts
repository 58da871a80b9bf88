import { graphlib, layout } from '@dagrejs/dagre'
import type { Flow, FlowNode } from './flow.ts'

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface FlowLayout {
  readonly places: ReadonlyMap<string, Place>
  readonly height: number
}

function sizeOf(node: FlowNode): { readonly width: number; readonly height: number } {
  if (node.type !== 'add') return { width: 256, height: 64 }
  return node.before === null && !node.position.includes('.') ? { width: 132, height: 36 } : { width: 28, height: 28 }
}

/** Returns the places of all nodes, in pixels, from top to bottom. */
export function layoutOf({ nodes, edges }: Flow): FlowLayout {
  const graph = new graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 40, ranksep: 26 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of nodes) graph.setNode(node.id, { ...sizeOf(node) })
  for (const { id, from, to, branch } of edges) graph.setEdge(from, to, branch === null ? {} : { height: 20 }, id)
  // The order of the nodes is the one of reading: the first branch is on the left.
  layout(graph, { disableOptimalOrderHeuristic: true })
  const places = new Map(
    nodes.map(({ id }) => {
      const { x, y, width, height } = graph.node(id) as Place
      // The layout gives the middle of a node, and the drawing wants its corner.
      return [id, { x: x - width / 2, y: y - height / 2, width, height }]
    }),
  )
  return { places, height: Math.max(...[...places.values()].map(({ y, height }) => y + height)) }
}

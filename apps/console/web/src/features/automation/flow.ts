import type { Branch, Position, WorkflowStep } from './steps.ts'

/** A node of the drawing: the trigger, a step, or a place where a step can be added. */
export type FlowNode =
  | { readonly id: string; readonly type: 'trigger' }
  | { readonly id: string; readonly type: 'step'; readonly position: Position; readonly step: WorkflowStep }
  | { readonly id: string; readonly type: 'add'; readonly position: Position; readonly before: WorkflowStep | null }

/** A line between two nodes; the lines that leave a fork have the name of their branch. */
interface FlowEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly branch: Branch | null
}

export interface Flow {
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
}

interface Tail {
  readonly id: string
  readonly branch: Branch | null
}

/** Returns the nodes and lines of a workflow; with the places where steps can be added, if it can be changed. */
export function flowOf(steps: readonly WorkflowStep[], isEditable: boolean): Flow {
  const nodes: FlowNode[] = [{ id: 'trigger', type: 'trigger' }]
  const edges: FlowEdge[] = []
  const enter = (node: FlowNode, tails: readonly Tail[]): readonly Tail[] => {
    nodes.push(node)
    for (const { id, branch } of tails)
      edges.push({ id: `${id}>${node.id}>${branch ?? ''}`, from: id, to: node.id, branch })
    return [{ id: node.id, branch: null }]
  }
  const follow = (list: readonly WorkflowStep[], before: string, from: readonly Tail[]): readonly Tail[] => {
    let tails = from
    const gap = (at: number) => {
      const position = `${before}${at}`
      if (isEditable) tails = enter({ id: `add:${position}`, type: 'add', position, before: list[at] ?? null }, tails)
    }
    for (const [at, step] of list.entries()) {
      gap(at)
      const position = `${before}${at}`
      tails = enter({ id: position, type: 'step', position, step }, tails)
      if (step.type === 'CONDITION')
        tails = [
          ...follow(step.then, `${position}.then.`, [{ id: position, branch: 'then' }]),
          ...follow(step.else, `${position}.else.`, [{ id: position, branch: 'else' }]),
        ]
    }
    gap(list.length)
    return tails
  }
  follow(steps, '', [{ id: 'trigger', branch: null }])
  return { nodes, edges }
}

CREATE TABLE "dashboards" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"visibility" text DEFAULT 'PRIVATE' NOT NULL,
	"is_home" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"period" jsonb,
	"widgets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"owner_id" uuid,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	"updated_at" timestamptz(3) DEFAULT now() NOT NULL,
	"created_by_id" uuid,
	CONSTRAINT "dashboards_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "dashboards" ADD CONSTRAINT "dashboards_owner" FOREIGN KEY ("workspace_id","owner_id") REFERENCES "public"."employees"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dashboards_of_owner" ON "dashboards" USING btree ("workspace_id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dashboards_home" ON "dashboards" USING btree ("workspace_id") WHERE "dashboards"."is_home" and "dashboards"."visibility" = 'WORKSPACE';--> statement-breakpoint
CREATE UNIQUE INDEX "dashboards_own_home" ON "dashboards" USING btree ("workspace_id","owner_id") WHERE "dashboards"."is_home" and "dashboards"."visibility" <> 'WORKSPACE';--> statement-breakpoint
-- Workspaces that are there begin with what a new one begins with.
INSERT INTO dashboards (workspace_id, id, name, visibility, is_home, widgets)
SELECT id, gen_random_uuid(), 'Home', 'WORKSPACE', true, '[
  {"id":"my-pipeline","type":"BAR","title":"My open pipeline by stage","x":0,"y":0,"w":8,"h":4,"source":{"resource":"deals","query":{"status":"OPEN","ownerId":"me"},"measures":["sum:amount","weighted:amount"],"groupBy":["stageId"]},"periodField":null},
  {"id":"won-this-month","type":"NUMBER","title":"Won this month","x":8,"y":0,"w":4,"h":4,"source":{"resource":"deals","query":{"status":"WON","closedFrom":"startOfMonth","closedTo":"endOfMonth"},"measures":["sum:amount"]},"periodField":null},
  {"id":"new-leads-by-source","type":"BAR","title":"New leads by source this week","x":0,"y":4,"w":4,"h":4,"source":{"resource":"leads","query":{"createdFrom":"startOfWeek","createdTo":"endOfWeek"},"groupBy":["sourceId"]},"periodField":null},
  {"id":"leads-per-week","type":"LINE","title":"Leads per week","x":4,"y":4,"w":4,"h":4,"source":{"resource":"leads","query":{"createdFrom":"startOfWeek-12w"},"groupBy":["createdAt:week"]},"periodField":null},
  {"id":"lead-funnel","type":"FUNNEL","title":"Leads by stage","x":8,"y":4,"w":4,"h":4,"source":{"resource":"leads","query":{},"groupBy":["stageId"]},"periodField":null},
  {"id":"my-tasks","type":"LIST","title":"My tasks due and overdue","x":0,"y":8,"w":4,"h":5,"source":{"resource":"tasks","query":{"assigneeId":"me","status":"TODO,IN_PROGRESS,IN_REVIEW","dueTo":"today"},"sort":"dueAt:asc","columns":["title","dueAt","priority"],"limit":10},"periodField":null},
  {"id":"my-quiet-leads","type":"LIST","title":"My leads without contact for 14 days","x":4,"y":8,"w":4,"h":5,"source":{"resource":"leads","query":{"ownerId":"me","status":"NEW,IN_PROGRESS,QUALIFIED","inactiveSince":"-14d"},"columns":["name","stage","lastActivityAt"],"limit":10},"periodField":null},
  {"id":"rotting-deals","type":"LIST","title":"Deals left alone for too long","x":8,"y":8,"w":4,"h":5,"source":{"resource":"deals","query":{"isRotting":"true"},"columns":["name","owner","stage","rottingAt"],"limit":10},"periodField":null}
]'::jsonb FROM workspaces;

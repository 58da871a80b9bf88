ALTER TABLE "product_attribute_groups" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "product_attribute_values" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "product_categories" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "product_tags" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tax_rates" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "units" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "lead_sources" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "pipelines" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stages" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "number_sequences" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "industries" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE TABLE "merges" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"entity_type" text NOT NULL,
	"survivor_id" uuid NOT NULL,
	"source_ids" uuid[] NOT NULL,
	"actor_id" uuid,
	"rows" jsonb NOT NULL,
	"links" jsonb NOT NULL,
	"created_at" timestamptz(3) DEFAULT now() NOT NULL,
	CONSTRAINT "merges_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "merges" ADD CONSTRAINT "merges_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "merges_by_age" ON "merges" USING btree ("workspace_id","created_at");

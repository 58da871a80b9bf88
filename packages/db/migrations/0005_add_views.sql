ALTER TABLE "saved_filters" ADD COLUMN "column_widths" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "group_by" text;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "date_field" text;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "measures" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "position" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "is_default" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_default" ON "saved_filters" USING btree ("workspace_id","entity_type") WHERE "saved_filters"."is_default";
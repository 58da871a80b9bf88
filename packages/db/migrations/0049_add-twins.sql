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
ALTER TABLE "industries" ADD COLUMN "is_twin" boolean DEFAULT false NOT NULL;

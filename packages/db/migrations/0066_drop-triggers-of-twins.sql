-- contract
-- Statements that give a row another name end its twin themselves.
DROP TRIGGER units_end_twin ON units;
--> statement-breakpoint
DROP TRIGGER tax_rates_end_twin ON tax_rates;
--> statement-breakpoint
DROP TRIGGER product_categories_end_twin ON product_categories;
--> statement-breakpoint
DROP TRIGGER product_tags_end_twin ON product_tags;
--> statement-breakpoint
DROP TRIGGER products_end_twin ON products;
--> statement-breakpoint
DROP TRIGGER product_attribute_groups_end_twin ON product_attribute_groups;
--> statement-breakpoint
DROP TRIGGER product_attribute_values_end_twin ON product_attribute_values;
--> statement-breakpoint
DROP TRIGGER number_sequences_end_twin ON number_sequences;
--> statement-breakpoint
DROP TRIGGER channels_end_twin ON channels;
--> statement-breakpoint
DROP TRIGGER pipelines_end_twin ON pipelines;
--> statement-breakpoint
DROP TRIGGER stages_end_twin ON stages;
--> statement-breakpoint
DROP TRIGGER lead_sources_end_twin ON lead_sources;
--> statement-breakpoint
DROP TRIGGER roles_end_twin ON roles;
--> statement-breakpoint
DROP TRIGGER industries_end_twin ON industries;
--> statement-breakpoint
DROP FUNCTION crm_end_twin();
